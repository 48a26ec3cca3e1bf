import { oncePer } from "@guerdon/engine";
import type { EventSource } from "../events/index.js";

/** An application's key pair, as far as it says who calls. */
interface CallingKey {
  id: string;
  name: string;
  /** Made for an integration; some operations take no other keys (platform.md §1). */
  is_integration?: boolean;
}

/** What somebody may do in a project. */
interface Role {
  role: string;
  /** Of a role that the organization has made: what it may call, as codes. */
  permissions?: ReadonlySet<string> | undefined;
}

/** The part of the API that a path belongs to: `/v1` and `/v2`, or `/client/v1`. */
export type Side = "server" | "client";

/**
 * Who makes a request, or that nobody does. Everything that is shown, recorded or counted of a caller follows from this
 * value, here: a new kind of caller does not compile until each of these has its case.
 */
export type Caller =
  | ({ kind: "server_key"; key: CallingKey } & Role)
  | { kind: "client_key"; key: CallingKey }
  /** A token has the rights of the key that minted it, as far as its scopes go. */
  | ({ kind: "oauth_token"; key: CallingKey; scopes: readonly string[]; side: Side } & Role)
  /** Somebody signed in at the dashboard. */
  | ({ kind: "user_session"; user: { id: string; login: string } } & Role)
  /** The service itself, after the answer: jobs, expirations, automations. */
  | { kind: "service" };

/** The service acting by itself. */
export const the_service: Caller = { kind: "service" };

/** As events tell it (events-and-webhooks.md §1): of the same caller the same object, so that rows which have it in common are known by it. */
export const eventSourceOf = oncePer((caller: Caller): EventSource => {
  switch (caller.kind) {
    case "server_key":
      return { channel: "API", api_key: shownKey(caller.key) };
    case "client_key":
      return { channel: "CLIENT_API", api_key: shownKey(caller.key) };
    case "oauth_token":
      return { channel: caller.side === "client" ? "CLIENT_API" : "API", api_key: shownKey(caller.key) };
    case "user_session":
      return { channel: "USER_PORTAL", user: { id: caller.user.id } };
    case "service":
      return { channel: "INTERNAL" };
  }
});

const shownKey = ({ id, name }: CallingKey) => ({ name, app_id: id });

/** Through whom something was redeemed or rolled back (redemption.md §8). */
export type RedemptionChannel = {
  /** The application key, the user, or the reward's assignment. */
  channel_id: string;
  channel_type: "API" | "USER" | "AUTO_REDEEM";
};

/** Of a redemption that somebody asked for; the service redeems for a reward's assignment, which it names itself. The same object as well. */
export const redemptionChannelOf = oncePer((caller: Caller): RedemptionChannel => {
  const key_id = apiKeyIdOf(caller);
  if (key_id !== null) return { channel_id: key_id, channel_type: "API" };
  if (caller.kind === "user_session") return { channel_id: caller.user.id, channel_type: "USER" };
  throw new Error("the service does not redeem by itself");
});

/** Where a balance was moved from, and a publication came from when its publisher says nothing else (loyalty.md §7). */
export function originOf({ kind }: Caller): "API" | "USER_PORTAL" | "Automation" {
  if (kind === "user_session") return "USER_PORTAL";
  return kind === "service" ? "Automation" : "API";
}

/** What rules on keys compare: the application key, a token's being the one that minted it. */
export function apiKeyIdOf(caller: Caller): string | null {
  return "key" in caller ? caller.key.id : null;
}

/** Whether a key of an integration calls, or a token that one minted. */
export function isIntegration(caller: Caller): boolean {
  return "key" in caller && caller.key.is_integration === true;
}

/** What rules on users compare. */
export function userLoginOf(caller: Caller): string | null {
  return caller.kind === "user_session" ? caller.user.login : null;
}

/**
 * Whose redemptions a limit per key or per user counts, as the `channel_id` of their redemptions; null where the caller
 * is none of those, and has redeemed nothing.
 */
export function countedChannelOf(caller: Caller, per: "api_key" | "user"): string | null {
  if (per === "api_key") return apiKeyIdOf(caller);
  return caller.kind === "user_session" ? caller.user.id : null;
}

/** What lets a caller through the door, beside knowing who it is. */
interface Rights {
  side: Side;
  /** Null: no role narrows it; the project's switches do (platform.md §5). */
  role: string | null;
  permissions?: ReadonlySet<string> | undefined;
  /** Null: no scopes narrow it. */
  scopes: readonly string[] | null;
}

/** How far a caller reaches; the service passes no door. */
export function rightsOf(caller: Exclude<Caller, { kind: "service" }>): Rights {
  switch (caller.kind) {
    case "server_key":
    case "user_session":
      return { side: "server", role: caller.role, permissions: caller.permissions, scopes: null };
    case "client_key":
      return { side: "client", role: null, scopes: null };
    case "oauth_token":
      return { side: caller.side, role: caller.role, permissions: caller.permissions, scopes: caller.scopes };
  }
}
