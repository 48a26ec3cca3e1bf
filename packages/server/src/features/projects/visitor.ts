import { oncePer } from "@guerdon/engine";
import type { FastifyRequest } from "fastify";
import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { key_headers, project_header } from "../../platform/http/browsers/own-pages.js";
import { problems } from "../../platform/http/problems.js";
import { isSecret } from "../../platform/secrets.js";
import type { Caller, Side } from "../../terms/index.js";
import { assertAllowed } from "./allowed-addresses.js";
import type { BearerTokens } from "./bearer.js";
import type { Credentials } from "./credentials.js";
import { findCustomRoles } from "./custom-role.store.js";
import type { KeyUses } from "./key-uses.js";
import { createProjectDirectory } from "./project.directory.js";
import type { ApiKey, Belief, KeyKind, ProjectSnapshot } from "./project.js";
import type { Sessions } from "./sessions.js";
import { isCustom } from "./user.js";
import { findMembership } from "./user.store.js";

/** Whoever comes from outside. */
export type Visitor = Exclude<Caller, { kind: "service" }>;

/** A credential longer than this is not one of ours; it is not even hashed. */
const credential_length_max = 512;

interface Pair {
  id: string;
  token: string;
}

/** What finds out who comes, beside key pairs. */
export interface Identities {
  bearers: BearerTokens;
  sessions: Sessions;
}

/** Somebody whose credentials are right, with the project that they belong to. */
export interface Known {
  caller: Visitor;
  snapshot: ProjectSnapshot;
  instant: Instant;
  /** What it is known by, where nobody was asked. */
  belief?: Belief;
}

const pair_headers: Record<KeyKind, [id: string, token: string]> = {
  server: ["x-app-id", "x-app-token"],
  client: ["x-client-application-id", "x-client-token"],
};

/** Those by which a request is somebody's in a project. */
export type OfSomebody = Exclude<Credentials, "management" | "person" | "none">;

interface Identifier {
  /** Asks the database. */
  find(request: FastifyRequest, credentials: OfSomebody): Promise<Known>;
  /** The same of a key pair by what was last known of it, and nobody is asked; undefined where that is not enough. */
  believe(request: FastifyRequest, credentials: OfSomebody): Known | undefined;
}

/** Finds out whose credentials a request shows; none, and none that are right, are refused. */
export function identifier(
  context: Context,
  { bearers, sessions }: Identities,
  uses: Pick<KeyUses, "note">,
): Identifier {
  const directory = createProjectDirectory(context.db);
  const { keyUsedBy, knownBySnapshot } = keysUsedBy(context, uses);
  return {
    find: async (request, credentials) => empowered(context.db, await whoCalls(request, credentials)),
    believe(request, credentials) {
      const kind = kindOf(credentials);
      const pair = pairOf(request, ...pair_headers[kind]);
      const snapshot = pair && directory.lastKnown(pair.id);
      if (!snapshot) return undefined;
      const known = knownBySnapshot(request, snapshot, pair, kind);
      // What such a role may do is asked with each request.
      if ("role" in known.caller && isCustom(known.caller.role)) return undefined;
      return { ...known, belief: { key_id: pair.id, is_confirmed: false } };
    },
  };

  async function whoCalls(request: FastifyRequest, credentials: OfSomebody): Promise<Known> {
    if (credentials === "member") return knownBySession(request);
    if (credentials === "managed") return inPathOf(request, knownBySession);
    const kind = kindOf(credentials);
    // A complete pair decides alone, even a wrong one; an incomplete one counts as absent.
    const pair = pairOf(request, ...pair_headers[kind]);
    if (pair) return knownByPair(request, pair, kind);
    const access_token = bearerOf(request);
    if (credentials === "application_pair") throw problems.unauthorized();
    if (access_token !== null) return knownByToken(request, access_token);
    // Behind every key: whoever sends one and a cookie is what the key says.
    if (credentials === "application" && request.headers.authorization === undefined) return knownBySession(request);
    throw problems.unauthorized();
  }

  async function knownByPair(request: FastifyRequest, pair: Pair, kind: KeyKind): Promise<Known> {
    const snapshot = await directory.ofKey(pair.id);
    if (!snapshot) throw problems.unauthorized();
    return knownBySnapshot(request, snapshot, pair, kind);
  }

  /** The scopes narrow what the key may do, and nothing widens it: the key is looked at as it is now. */
  async function knownByToken(request: FastifyRequest, access_token: string): Promise<Known> {
    const bearer = await bearers.find(access_token);
    const snapshot = bearer && (await directory.at(bearer.project_id, bearer.version));
    const instant = context.clock.now();
    if (!bearer || !snapshot || bearer.expires_at <= instant) throw problems.unauthorized();
    const minter = keyUsedBy(request, snapshot, bearer.api_key_id, "server");
    const by = { key: callingKey(minter), role: minter.role, side: sideOf(request.routeOptions.url ?? "") };
    return { caller: { kind: "oauth_token", ...by, scopes: bearer.scopes }, snapshot, instant };
  }

  /** Somebody in the project that the request names, in the role that they have there now. Which projects others have is not told. */
  async function knownBySession(request: FastifyRequest): Promise<Known> {
    const person = await sessions.find(request);
    if (!person) throw problems.unauthorized();
    const project_id = request.headers[project_header];
    if (typeof project_id !== "string" || project_id.length > credential_length_max) throw problems.missingPermission();
    const membership = await findMembership(context.db, project_id, person.user.id);
    const snapshot = membership && (await directory.at(project_id, membership.version));
    if (!snapshot) throw problems.missingPermission();
    const { id, login } = person.user;
    return {
      caller: { kind: "user_session", user: { id, login }, role: membership.role },
      snapshot,
      instant: context.clock.now(),
    };
  }
}

/** Looks at keys as a snapshot has them, and notes that they were used. */
function keysUsedBy({ clock }: Pick<Context, "clock">, uses: Pick<KeyUses, "note">) {
  /** A key that may be used from where the request comes from, and now has been. */
  function keyUsedBy(request: FastifyRequest, snapshot: ProjectSnapshot, key_id: string, kind: KeyKind): ApiKey {
    const key = workingKey(snapshot, key_id, kind);
    assertAllowed(key.allowed_addresses, request.ip);
    uses.note(snapshot.project.id, key_id, clock.now());
    return key;
  }

  function knownBySnapshot(request: FastifyRequest, snapshot: ProjectSnapshot, pair: Pair, kind: KeyKind): Known {
    const { id, token } = pair;
    const stored = snapshot.keys.get(id);
    if (stored?.kind !== kind || !isSecret(token, stored.token_hash)) throw problems.unauthorized();
    return { caller: callerBy(keyUsedBy(request, snapshot, id, kind)), snapshot, instant: clock.now() };
  }

  return { keyUsedBy, knownBySnapshot };
}

/** Whoever calls with a key, as the same object as long as the snapshot is. */
const callerBy = oncePer((stored: ApiKey): Visitor => {
  const key = callingKey(stored);
  return stored.kind === "client" ? { kind: "client_key", key } : { kind: "server_key", key, role: stored.role };
});

/** A key as far as it says who calls. */
const callingKey = ({ id, name, is_integration }: ApiKey) => ({ id, name, is_integration });

/** What a role may do that the organization has made is read with each request, so that an edit counts for the next one everywhere. */
async function empowered(db: Queries, known: Known): Promise<Known> {
  const { caller } = known;
  if (!("role" in caller) || !isCustom(caller.role)) return known;
  const [custom] = await findCustomRoles(db, [caller.role]);
  return { ...known, caller: { ...caller, permissions: new Set(custom?.permissions) } };
}

/** Somebody in the project that the path names, which is the one that the page stands in: a role is asked for in no other. */
async function inPathOf(request: FastifyRequest, find: (request: FastifyRequest) => Promise<Known>): Promise<Known> {
  // Keys of a project open nothing of the management API, and nobody is taken for somebody else beside them.
  if (key_headers.some((name) => request.headers[name] !== undefined)) throw problems.unauthorized();
  const known = await find(request);
  const { projectId } = request.params as { projectId?: string };
  if (projectId !== known.snapshot.project.id) throw problems.missingPermission();
  return known;
}

const kindOf = (credentials: OfSomebody): KeyKind => (credentials === "client" ? "client" : "server");

/** The part of the API that a route belongs to. */
export const sideOf = (route: string): Side => (route.startsWith("/client/") ? "client" : "server");

/** A key of its kind that is not blocked. */
function workingKey({ keys }: ProjectSnapshot, key_id: string, kind: KeyKind): ApiKey {
  const key = keys.get(key_id);
  if (key?.kind !== kind) throw problems.unauthorized();
  if (key.blocked) throw problems.forbidden("API key is blocked");
  return key;
}

/** Both headers of a pair; null when one is missing. */
export function pairOf(request: FastifyRequest, id_header: string, token_header: string): Pair | null {
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
