import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../platform/context.js";
import { type App, assertAcceptable } from "../../platform/http/app.js";
import { announcedBytes } from "../../platform/http/bodies/room.js";
import { addressLimiter, client_side_limit } from "../../platform/http/browsers/address-limit.js";
import { Problem, problems } from "../../platform/http/problems.js";
import { hashOfSecret, isSecret } from "../../platform/secrets.js";
import type { Turns } from "../../platform/sharing/turns.js";
import { isKeyed } from "../../recording/index.js";
import { eventSourceOf, rightsOf } from "../../terms/index.js";
import type { BearerTokens } from "./bearer.js";
import { assertSwitchedOn, assertTrusted } from "./client-side.js";
import { type Credentials, credentialsFor, describeCredentials } from "./credentials.js";
import { type KeyUses, openKeyUses } from "./key-uses.js";
import { notePermissions } from "./permissions.js";
import type { Call } from "./project.js";
import { findManagementKey } from "./project.store.js";
import { mayCall } from "./roles.js";
import type { Person } from "./sessions.js";
import type { CountUse } from "./use.js";
import { type Identities, identifier, type Known, type OfSomebody, pairOf, sideOf, type Visitor } from "./visitor.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Set for requests with an application key or its token; read it with `callOf`. */
    call: Call | null;
    /** Set where somebody who is signed in is enough, whatever their projects; read it with `personOf`. */
    person: Person | null;
  }
}

/**
 * Finds out who calls, before a body is read (platform.md §1, §11.3). Call it before routes are added.
 * @returns what asks about a caller who was let in on what was known, for `beginAnew`
 */
export function addAuthentication(
  app: App,
  context: Context,
  identities: Identities,
  countUse?: CountUse,
): (request: FastifyRequest, reply: FastifyReply) => Promise<Call> {
  const { bearers, sessions } = identities;
  const admitted = admittedBy(bearers.scopesFor);
  const visitors = identifier(context, identities, notingUses(app, context));
  const limit = context.config.client_side_limit ?? client_side_limit;
  const countTogether = context.countCalls?.("client_side", limit);
  const countCall = addressLimiter(app, limit, () => context.clock.now(), countTogether);
  app.decorateRequest("call", null);
  app.decorateRequest("person", null);
  notePermissions(app);
  describeCredentials(app, bearers.scopesFor);
  app.addHook("onRoute", (route) => {
    // Not every page may read what the client side answers: `assertTrusted` says which.
    if (credentialsFor(route) === "client" || route.url.startsWith("/dashboard/"))
      route.config = { ...route.config, cors: false };
  });
  app.addHook("onRequest", async (request, reply) => {
    const credentials = credentialsFor(request.routeOptions);
    if (credentials === "none" || (request.routeOptions.config.opened_by_token && showsTokenAlone(request))) return;
    if (decidesByManagementKey(credentials, request)) await authenticateManagement(request);
    else if (credentials === "person") request.person = await signedIn(request);
    else {
      request.call = believedCall(request, reply, credentials) ?? (await letIn(request, reply, credentials));
      if (credentials === "client") await countCall(request, reply);
      countUse?.(request.call, request.routeOptions.url ?? "", reply);
    }
    if (!request.routeOptions.config.any_accept) assertAcceptable(request.headers.accept);
    await untilTurn(context.turns, request);
  });

  const letIn = async (request: FastifyRequest, reply: FastifyReply, credentials: OfSomebody) =>
    admitted(request, reply, credentials, await visitors.find(request, credentials));

  /** Where the operation asks whether it holds, on what is known; whoever might not be let in is asked about. */
  function believedCall(request: FastifyRequest, reply: FastifyReply, credentials: OfSomebody): Call | null {
    // What is answered to one that may be sent again is kept: nothing of that rests on a belief.
    if (!request.routeOptions.config.confirms_keys || isKeyed(request)) return null;
    try {
      const known = visitors.believe(request, credentials);
      return known ? admitted(request, reply, credentials, known) : null;
    } catch (refused) {
      if (refused instanceof Problem) return null;
      throw refused;
    }
  }

  return (request, reply) => letIn(request, reply, credentialsFor(request.routeOptions) as OfSomebody);

  async function signedIn(request: FastifyRequest): Promise<Person> {
    const person = await sessions.find(request);
    if (!person) throw problems.unauthorized();
    return person;
  }

  async function authenticateManagement(request: FastifyRequest): Promise<void> {
    const pair = managementPairOf(request);
    if (!pair) throw problems.unauthorized();
    const key = await findManagementKey(context.db, pair.id);
    // The secret of an unknown key is hashed all the same, so that the time of the answer tells nothing.
    if (!isSecret(pair.token, key?.token_hash ?? hashOfSecret(""))) throw problems.unauthorized();
  }
}

/** Makes the call of somebody whose credentials are right, and who may make it. */
function admittedBy(scopesFor: BearerTokens["scopesFor"]) {
  return (request: FastifyRequest, reply: FastifyReply, credentials: OfSomebody, known: Known): Call => {
    const { caller, instant, belief } = known;
    const { version, project, metadata_schemas } = known.snapshot;
    if (credentials === "client") assertTrusted(request, reply, caller, project);
    const route = request.routeOptions.url ?? "";
    assertMay(caller, request.method, route, scopesFor(route));
    if (credentials === "client") assertSwitchedOn(request.routeOptions.config, project);
    return {
      project,
      project_id: project.id,
      metadata_schemas,
      version,
      instant,
      request_id: request.id,
      caller,
      event_source: eventSourceOf(caller),
      label: labelOf(request),
      keyed: null,
      belief,
    };
  };
}

/** Waits until the body may be read, beside other projects that work. */
async function untilTurn(turns: Turns, request: FastifyRequest): Promise<void> {
  const { call } = request;
  if (call && !(await turns.enter(call.project_id, announcedBytes(request, 0))))
    throw problems.busy("The project's requests take more time than others leave it. Try again.");
}

function notingUses(app: App, context: Context): KeyUses {
  const uses = openKeyUses(context);
  app.addHook("onClose", () => uses.flush());
  return uses;
}

const managementPairOf = (request: FastifyRequest) => pairOf(request, "x-management-id", "x-management-token");

/** A management pair decides alone, right or wrong, where a session would do too. */
const decidesByManagementKey = (credentials: Credentials, request: FastifyRequest): credentials is "management" =>
  credentials === "management" || (credentials === "managed" && managementPairOf(request) !== null);

const credential_headers = ["x-app-id", "x-app-token", "authorization"];

/** The route asks whether the token is right. */
function showsTokenAlone({ query, headers }: FastifyRequest): boolean {
  const has_token = typeof query === "object" && query !== null && "token" in query;
  return has_token && credential_headers.every((name) => headers[name] === undefined);
}

/** The authenticated call of a request under `/v1` or `/client/v1`. */
export function callOf(request: { call: Call | null }): Call {
  if (!request.call) throw problems.unauthorized();
  return request.call;
}

/** Who is signed in, of a request for which that is enough. */
export function personOf(request: { person: Person | null }): Person {
  if (!request.person) throw problems.unauthorized();
  return request.person;
}

/** What a request reads with: it takes its project's turns at the database, and ends when the client hangs up. */
export function contextOf(context: Context, request: FastifyRequest): Context {
  return { ...context, db: context.db.of(callOf(request).project_id, request.signal) };
}

function assertMay(caller: Visitor, method: string, route: string, opening: readonly string[]): void {
  const { side, role, permissions, scopes } = rightsOf(caller);
  if (side !== sideOf(route)) throw problems.unauthorized();
  if (role !== null && !mayCall({ role, permissions }, method, route)) throw problems.missingPermission();
  if (scopes !== null && !scopes.some((scope) => opening.includes(scope))) throw problems.missingPermission();
}

/** As much of a label as a channel may have: it is kept with every request. */
const label_length_max = 255;

function labelOf({ headers }: FastifyRequest): string | null {
  const label = headers["x-voucherify-channel"];
  return typeof label === "string" && label !== "" ? label.slice(0, label_length_max) : null;
}
