import type { FastifyReply } from "fastify";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { App } from "../../platform/http/app.js";
import { assertOwnPage } from "../../platform/http/browsers/own-pages.js";
import { problems } from "../../platform/http/problems.js";
import { NoContent, withProblems } from "../../platform/http/schema.js";
import { isEmail } from "../../platform/sign-in.js";
import { personOf } from "../projects/index.js";
import { meOf } from "./me.js";
import {
  LinkBody,
  LinkShown,
  MeBody,
  Names,
  NewOwner,
  OwnerBody,
  PasswordByLink,
  PasswordChange,
  SignIn,
} from "./people.schemas.js";
import { becomeOwner, changePassword, choosePassword, hasOwner, readLink, rename, signIn } from "./people.service.js";
import { cookieOf } from "./sessions.js";
import { session_ms } from "./sign-in.js";
import { deleteSession } from "./sign-in.store.js";

const tags = ["dashboard"];
const opened = { credentials: "none" } as const;
const personal = { credentials: "person" } as const;
const done = withProblems({ 204: NoContent });

/** `/dashboard/v1/{owner,links,session,me}`: who signs in, and as whom (ADR 72). */
export function peopleRoutes(app: App, context: Context): void {
  addOpened(app, context);
  addPersonal(app, context);
}

/** The browser keeps the token, and no answer says it. */
function signedIn(context: Context, reply: FastifyReply, token: string): FastifyReply {
  cookieOf(context).set(reply, token, session_ms / 1000);
  return reply.header("cache-control", "no-store").code(204).send(null);
}

/** Open to whoever is not signed in, on a page of ours. */
function addOpened(app: App, context: Context): void {
  // Another site could sign a visitor in as somebody else, and wait for what they enter.
  const onRequest = async (request: Parameters<typeof assertOwnPage>[0]) =>
    assertOwnPage(request, context.config.public_url);

  app.get(
    "/dashboard/v1/owner",
    { config: opened, schema: { operationId: "get-owner", tags, response: withProblems({ 200: OwnerBody }) } },
    async () => ({ exists: await hasOwner(context.db) }),
  );

  app.post(
    "/dashboard/v1/owner",
    { config: opened, onRequest, schema: { operationId: "create-owner", tags, body: NewOwner, response: done } },
    async ({ body }, reply) => {
      if (!isEmail(body.email)) throw problems.invalidPayload("Property .email must be an e-mail address");
      return signedIn(context, reply, await becomeOwner(context, body));
    },
  );

  app.post(
    "/dashboard/v1/links",
    {
      config: opened,
      onRequest,
      schema: { operationId: "read-link", tags, body: LinkShown, response: withProblems({ 200: LinkBody }) },
    },
    async ({ body }) => {
      const { user, expires_at } = await readLink(context, body.token);
      const { is_owner, email, first_name, last_name } = user;
      return { is_owner, email, first_name, last_name, expires_at: isoOf(expires_at) };
    },
  );

  app.post(
    "/dashboard/v1/password",
    {
      config: opened,
      onRequest,
      schema: { operationId: "choose-password", tags, body: PasswordByLink, response: done },
    },
    async ({ body }, reply) => signedIn(context, reply, await choosePassword(context, body)),
  );

  app.post(
    "/dashboard/v1/session",
    { config: opened, onRequest, schema: { operationId: "sign-in", tags, body: SignIn, response: done } },
    async ({ body, ip }, reply) => signedIn(context, reply, await signIn(context, ip, body)),
  );
}

/** Open to whoever is signed in, whatever their projects. */
function addPersonal(app: App, context: Context): void {
  const response = withProblems({ 200: MeBody });

  app.delete(
    "/dashboard/v1/session",
    { config: personal, schema: { operationId: "sign-out", tags, response: done } },
    async (request, reply) => {
      await deleteSession(context.db, personOf(request).session_hash);
      cookieOf(context).clear(reply);
      return reply.code(204).send(null);
    },
  );

  app.get("/dashboard/v1/me", { config: personal, schema: { operationId: "get-me", tags, response } }, (request) =>
    meOf(context, personOf(request), app.permissionsByRole()),
  );

  app.put(
    "/dashboard/v1/me",
    { config: personal, schema: { operationId: "update-me", tags, body: Names, response } },
    async (request) => {
      const person = personOf(request);
      const user = await rename(context, person, request.body);
      return meOf(context, { ...person, user }, app.permissionsByRole());
    },
  );

  app.put(
    "/dashboard/v1/me/password",
    { config: personal, schema: { operationId: "change-password", tags, body: PasswordChange, response: done } },
    async (request, reply) =>
      signedIn(context, reply, await changePassword(context, personOf(request), request.ip, request.body)),
  );
}
