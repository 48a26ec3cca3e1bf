// What it adds to an application, for the compiler.
import type {} from "@fastify/rate-limit";
import { afterAll, expect, test } from "vitest";
import { createTestClock, monday_morning } from "../../../../test/harness/service.js";
import { createLog } from "../../log.js";
import { createMetrics } from "../../metrics.js";
import { createApp } from "../app.js";
import { addressLimiter, client_side_limit, limitPerAddress } from "./address-limit.js";

const clock = createTestClock(monday_morning);
const app = await createApp({
  log: createLog("silent"),
  metrics: createMetrics(),
  check_responses: false,
  path_words: {},
});
const onRequest = addressLimiter(app, { ...client_side_limit, addresses_max: 100 }, clock.now);
app.get("/client/v1/consents", { onRequest }, async () => ({}));
app.post("/client/v1/validations", { onRequest }, async () => ({}));
app.get("/v1/campaigns", async () => ({}));
afterAll(() => app.close());

let addresses = 0;
const anAddress = () => `10.0.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`;

/** Calls, each for its status. */
async function call(remoteAddress: string, times: number, method: "GET" | "POST" = "GET") {
  const url = method === "GET" ? "/client/v1/consents" : "/client/v1/validations";
  const statuses: number[] = [];
  for (let i = 0; i < times; i += 1) statuses.push((await app.inject({ method, url, remoteAddress })).statusCode);
  return statuses;
}

test("the sixth call of an address within five seconds is refused, whichever routes it asked", async () => {
  const address = anAddress();
  expect(await call(address, 3)).toEqual([200, 200, 200]);
  expect(await call(address, 3, "POST")).toEqual([200, 200, 429]);
  clock.advance({ ms: 1_200 });
  const refused = await app.inject({ url: "/client/v1/consents", remoteAddress: address });
  expect(refused.json()).toEqual({ code: 429, message: "Too many requests hit the API too quickly." });
  expect(refused.headers).toMatchObject({
    "retry-after": "4",
    "x-rate-limit-type": "api_calls",
    "x-rate-limit-limit": "5",
    "x-rate-limit-remaining": "0",
    "x-rate-limit-retry": String(Math.ceil((clock.now() + 3_800) / 1000)),
  });
  expect(refused.headers["x-request-id"]).toMatch(/^v-/);
});

test("each answer says how many calls are left, and when the next may come once none is", async () => {
  const remoteAddress = anAddress();
  const seen: unknown[] = [];
  for (let i = 0; i < 5; i += 1) {
    const { headers } = await app.inject({ url: "/client/v1/consents", remoteAddress });
    seen.push([headers["x-rate-limit-remaining"], headers["x-rate-limit-retry"], headers["retry-after"]]);
  }
  const next_s = String(Math.ceil((clock.now() + 5_000) / 1000));
  expect(seen).toEqual([
    ["4", "0", undefined],
    ["3", "0", undefined],
    ["2", "0", undefined],
    ["1", "0", undefined],
    ["0", next_s, undefined],
  ]);
});

test("the window slides: no five seconds hold more than five calls, and refused ones do not count", async () => {
  const address = anAddress();
  expect(await call(address, 2)).toEqual([200, 200]);
  clock.advance({ ms: 4_000 });
  expect(await call(address, 5)).toEqual([200, 200, 200, 429, 429]);
  clock.advance({ ms: 999 });
  expect(await call(address, 1)).toEqual([429]);
  clock.advance({ ms: 1 });
  expect(await call(address, 3)).toEqual([200, 200, 429]);
  clock.advance({ ms: 4_000 });
  expect(await call(address, 4)).toEqual([200, 200, 200, 429]);
});

test("addresses count apart, those of one IPv6 network together", async () => {
  const [one, other] = [anAddress(), anAddress()];
  await call(one, 5);
  expect(await call(one, 1)).toEqual([429]);
  expect(await call(other, 1)).toEqual([200]);
  await call("2001:db8:1:2::1", 5);
  expect(await call("2001:db8:1:2:ffff::9", 1)).toEqual([429]);
  expect(await call("2001:db8:1:3::1", 1)).toEqual([200]);
});

test("what another caller says of its address is not believed", async () => {
  const remoteAddress = anAddress();
  await call(remoteAddress, 5);
  const headers = { "x-forwarded-for": anAddress() };
  expect((await app.inject({ url: "/client/v1/consents", remoteAddress, headers })).statusCode).toBe(429);
});

test("routes that do not ask are not limited, nor are browsers' questions OPTIONS", async () => {
  const remoteAddress = anAddress();
  for (let i = 0; i < 10; i += 1) {
    const { statusCode, headers } = await app.inject({ url: "/v1/campaigns", remoteAddress });
    expect({ statusCode, limit: headers["x-rate-limit-limit"] }).toEqual({ statusCode: 200, limit: "1000000" });
    const asked = await app.inject({ method: "OPTIONS", url: "/client/v1/consents", remoteAddress });
    expect(asked.statusCode).toBe(204);
  }
  expect(await call(remoteAddress, 1)).toEqual([200]);
});

test("of more addresses than are remembered the one that was silent longest begins anew", async () => {
  const [silent, busy] = [anAddress(), anAddress()];
  await call(silent, 5);
  await call(busy, 5);
  for (let i = 0; i < 98; i += 1) await call(anAddress(), 1);
  expect(await call(busy, 1)).toEqual([429]);
  await call(anAddress(), 1);
  expect(await call(busy, 1)).toEqual([429]);
  expect(await call(silent, 1)).toEqual([200]);
});

test("the more calls one address may make, the fewer addresses are remembered", () => {
  expect(client_side_limit).toEqual({ calls_max: 5, window_ms: 5_000, addresses_max: 100_000 });
  expect(limitPerAddress(1_000, 60)).toEqual({ calls_max: 1_000, window_ms: 60_000, addresses_max: 500 });
});

test("a call that cannot be counted is put off, and not let through", async () => {
  const options = { log: createLog("silent"), metrics: createMetrics(), check_responses: false, path_words: {} };
  const other = await createApp(options);
  const lost = async () => Promise.reject(new Error("whoever counts for all has gone"));
  other.get(
    "/client/v1/consents",
    { onRequest: addressLimiter(other, client_side_limit, clock.now, lost) },
    async () => ({}),
  );
  const { statusCode, headers } = await other.inject({ url: "/client/v1/consents" });
  expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
  await other.close();
});
