import type { FastifyRequest } from "fastify";
import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { type App, assertAcceptable } from "../../platform/http/app.js";
import { problems } from "../../platform/http/problems.js";
import { hashOfSecret, isSecret } from "../../platform/secrets.js";
import { type Caller, eventSourceOf, rightsOf } from "../../terms/index.js";
import type { BearerTokens } from "./bearer.js";
import { type Credentials, credentialsFor, describeCredentials } from "./credentials.js";
import { createProjectDirectory } from "./project.directory.js";
import type { ApiKey, Call, ProjectSnapshot } from "./project.js";
import { findManagementKey } from "./project.store.js";
import { roleAllows } from "./roles.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Set for requests with an application key or its token; read it with `callOf`. */
    call: Call | null;
  }
}

/** Whoever comes from outside. */
type Visitor = Exclude<Caller, { kind: "service" }>;

/** A credential longer than this is not one of ours; it is not even hashed. */
const credential_length_max = 512;

interface Pair {
  id: string;
  token: string;
}

/** Finds out who calls, before a body is read (platform.md §1, §11.3). Call it before routes are added. */
export function addAuthentication(app: App, context: Context, bearers: BearerTokens): void {
  const directory = createProjectDirectory(context.db);
  app.decorateRequest("call", null);
  describeCredentials(app, bearers.scopesFor);
  app.addHook("onRequest", async (request) => {
    const credentials = credentialsFor(request.routeOptions);
    if (credentials === "application" || credentials === "application_pair")
      await authenticateApplication(request, credentials);
    if (credentials === "management") await authenticateManagement(request);
    if (credentials !== "none" && !request.routeOptions.config.any_accept) assertAcceptable(request.headers.accept);
  });

  async function authenticateApplication(request: FastifyRequest, credentials: Credentials): Promise<void> {
    // A complete pair decides alone, even a wrong one; an incomplete one counts as absent.
    const pair = pairOf(request, "x-app-id", "x-app-token");
    if (pair) return authenticatePair(request, pair);
    const access_token = bearerOf(request);
    if (access_token === null || credentials === "application_pair") throw problems.unauthorized();
    await authenticateBearer(request, access_token);
  }

  async function authenticatePair(request: FastifyRequest, { id, token }: Pair): Promise<void> {
    const snapshot = await directory.ofKey(id);
    const key = snapshot?.keys.get(id);
    if (!snapshot || key?.kind !== "server" || !isSecret(token, key.token_hash)) throw problems.unauthorized();
    const { role, ...calling } = workingKey(snapshot, id);
    request.call = callBy({ kind: "server_key", key: calling, role }, request, snapshot, context.clock.now());
  }

  /** The scopes narrow what the key may do, and nothing widens it: the key is looked at as it is now. */
  async function authenticateBearer(request: FastifyRequest, access_token: string): Promise<void> {
    const bearer = await bearers.find(access_token);
    const snapshot = bearer && (await directory.at(bearer.project_id, bearer.version));
    const instant = context.clock.now();
    if (!bearer || !snapshot || bearer.expires_at <= instant) throw problems.unauthorized();
    const { role, ...key } = workingKey(snapshot, bearer.api_key_id);
    const side = sideOf(routeOf(request));
    request.call = callBy({ kind: "oauth_token", key, role, scopes: bearer.scopes, side }, request, snapshot, instant);
  }

  /** The call of somebody who may make it. */
  function callBy(
    caller: Visitor,
    request: FastifyRequest,
    { version, project }: ProjectSnapshot,
    instant: Instant,
  ): Call {
    const route = routeOf(request);
    assertMay(caller, request.method, route, bearers.scopesFor(route));
    return {
      project,
      project_id: project.id,
      version,
      instant,
      request_id: request.id,
      caller,
      event_source: eventSourceOf(caller),
      label: labelOf(request),
    };
  }

  async function authenticateManagement(request: FastifyRequest): Promise<void> {
    const pair = pairOf(request, "x-management-id", "x-management-token");
    if (!pair) throw problems.unauthorized();
    const key = await findManagementKey(context.db, pair.id);
    // The secret of an unknown key is hashed all the same, so that the time of the answer tells nothing.
    if (!isSecret(pair.token, key?.token_hash ?? hashOfSecret(""))) throw problems.unauthorized();
  }
}

/** The authenticated call of a request under `/v1`. */
export function callOf(request: { call: Call | null }): Call {
  if (!request.call) throw problems.unauthorized();
  return request.call;
}

/** What a request reads with: it takes its project's turns at the database, and ends when the client hangs up. */
export function contextOf(context: Context, request: FastifyRequest): Context {
  return { ...context, db: context.db.of(callOf(request).project_id, request.signal) };
}

/** A server-side key that is not blocked, without its secret. */
function workingKey({ keys }: ProjectSnapshot, key_id: string): Pick<ApiKey, "id" | "name" | "role"> {
  const key = keys.get(key_id);
  if (key?.kind !== "server") throw problems.unauthorized();
  if (key.blocked) throw problems.forbidden("API key is blocked");
  const { id, name, role } = key;
  return { id, name, role };
}

function assertMay(caller: Visitor, method: string, route: string, opening: readonly string[]): void {
  const { side, role, scopes } = rightsOf(caller);
  if (side !== sideOf(route)) throw problems.unauthorized();
  if (role !== null && !roleAllows(role, method, route)) throw problems.missingPermission();
  if (scopes !== null && !scopes.some((scope) => opening.includes(scope))) throw problems.missingPermission();
}

function labelOf({ headers }: FastifyRequest): string | null {
  const label = headers["x-voucherify-channel"];
  return typeof label === "string" && label !== "" ? label : null;
}

const sideOf = (route: string) => (route.startsWith("/client/") ? "client" : "server");

const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? "";

/** Both headers of a pair; null when one is missing. */
function pairOf(request: FastifyRequest, id_header: string, token_header: string): Pair | null {
  const id = request.headers[id_header];
  const token = request.headers[token_header];
  if (typeof id !== "string" || typeof token !== "string" || id === "" || token === "") return null;
  if (id.length > credential_length_max || token.length > credential_length_max) throw problems.unauthorized();
  return { id, token };
}

function bearerOf({ headers }: FastifyRequest): string | null {
  const [, access_token = ""] = /^bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return access_token === "" || access_token.length > credential_length_max ? null : access_token;
}
