import { describe, expect, test } from "vitest";
import {
  apiKeyIdOf,
  type Caller,
  countedChannelOf,
  eventSourceOf,
  originOf,
  redemptionChannelOf,
  rightsOf,
  userLoginOf,
} from "./caller.js";

const key = { id: "key-1", name: "Shop" };
const api_key = { name: "Shop", app_id: "key-1" };
const by_key = { channel_id: "key-1", channel_type: "API" };
const user = { id: "user_1", login: "ann@example.com" };
const token = { kind: "oauth_token", key, role: "VIEWER", scopes: ["vouchers"] } as const;

interface Expected {
  caller: Caller;
  source: object;
  redemption: object;
  origin: string;
  key_id: string | null;
  login: string | null;
  /** What limits per key and per user count. */
  counted: [string | null, string | null];
}

const table: Record<string, Expected> = {
  "a server-side key": {
    caller: { kind: "server_key", key, role: "ADMIN" },
    source: { channel: "API", api_key },
    redemption: by_key,
    origin: "API",
    key_id: "key-1",
    login: null,
    counted: ["key-1", null],
  },
  "a client-side key": {
    caller: { kind: "client_key", key },
    source: { channel: "CLIENT_API", api_key },
    redemption: by_key,
    origin: "API",
    key_id: "key-1",
    login: null,
    counted: ["key-1", null],
  },
  "a token on the server side": {
    caller: { ...token, side: "server" },
    source: { channel: "API", api_key },
    redemption: by_key,
    origin: "API",
    key_id: "key-1",
    login: null,
    counted: ["key-1", null],
  },
  "a token on the client side": {
    caller: { ...token, side: "client" },
    source: { channel: "CLIENT_API", api_key },
    redemption: by_key,
    origin: "API",
    key_id: "key-1",
    login: null,
    counted: ["key-1", null],
  },
  "a signed-in user": {
    caller: { kind: "user_session", user, role: "USER" },
    source: { channel: "USER_PORTAL", user: { id: "user_1" } },
    redemption: { channel_id: "user_1", channel_type: "USER" },
    origin: "USER_PORTAL",
    key_id: null,
    login: "ann@example.com",
    counted: [null, "user_1"],
  },
};

describe.each(Object.entries(table))("%s", (_, { caller, source, redemption, origin, key_id, login, counted }) => {
  test("is told by events, redemptions and origins alike", () => {
    expect(eventSourceOf(caller)).toEqual(source);
    expect(redemptionChannelOf(caller)).toEqual(redemption);
    expect(originOf(caller)).toBe(origin);
  });

  test("is told by one object, which rows that are written together have in common", () => {
    expect(eventSourceOf(caller)).toBe(eventSourceOf(caller));
    expect(redemptionChannelOf(caller)).toBe(redemptionChannelOf(caller));
  });

  test("is what rules and limits on keys and users look at", () => {
    expect([apiKeyIdOf(caller), userLoginOf(caller)]).toEqual([key_id, login]);
    expect([countedChannelOf(caller, "api_key"), countedChannelOf(caller, "user")]).toEqual(counted);
  });
});

test("the service acts for nobody", () => {
  const service: Caller = { kind: "service" };
  expect(eventSourceOf(service)).toEqual({ channel: "INTERNAL" });
  expect([originOf(service), apiKeyIdOf(service), userLoginOf(service)]).toEqual(["Automation", null, null]);
  expect(() => redemptionChannelOf(service)).toThrow();
});

test("a key's secret is in no event", () => {
  const stored = { ...key, token_hash: Buffer.alloc(32) };
  expect(eventSourceOf({ kind: "server_key", key: stored, role: "ADMIN" })).toEqual({ channel: "API", api_key });
});

test("rights: a role narrows keys, tokens and users, scopes a token, and a client-side key has neither", () => {
  expect(rightsOf({ kind: "server_key", key, role: "VIEWER" })).toEqual({
    side: "server",
    role: "VIEWER",
    scopes: null,
  });
  expect(rightsOf({ ...token, side: "client" })).toEqual({ side: "client", role: "VIEWER", scopes: ["vouchers"] });
  expect(rightsOf({ kind: "user_session", user, role: "USER" })).toEqual({
    side: "server",
    role: "USER",
    scopes: null,
  });
  expect(rightsOf({ kind: "client_key", key })).toEqual({ side: "client", role: null, scopes: null });
});
