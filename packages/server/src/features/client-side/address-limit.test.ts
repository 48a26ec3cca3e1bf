import { describe, expect, test } from "vitest";
import { page_origin, startService } from "../../../test/harness/service.js";
import { readConfig } from "../../config.js";
import { client_side_limit } from "../../platform/http/browsers/address-limit.js";
import { aToken, bearing } from "../oauth/oauth.fixtures.js";

const { url, api, page, clock, anotherProject } = await startService({ client_side_limit });
await api.post("/v1/vouchers/CODE", { discount: { type: "AMOUNT", amount_off: 100 } }, 200);
const tiers = "/client/v1/promotions/tiers";
const all_left_the_window = () => clock.advance({ ms: 5_000 });

describe("one address may make five client-side calls in five seconds", () => {
  test("over all operations, projects, keys and tokens together, and is told when the next may come", async () => {
    const other = await anotherProject();
    const token = bearing(url, await aToken(api, "client_api"));
    await page.get(tiers, 200);
    await page.get("/client/v1/validate?code=CODE", 200);
    await page.post("/client/v1/redeem?code=CODE", {}, 200);
    await other.page.get(tiers, 200);
    const { headers } = await token.get(tiers, 200);
    expect([headers.get("x-rate-limit-limit"), headers.get("x-rate-limit-remaining")]).toEqual(["5", "0"]);

    const refused = await other.page.get(tiers, 429);
    expect(refused.body).toEqual({ code: 429, message: "Too many requests hit the API too quickly." });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "retry-after": "5",
      "x-rate-limit-type": "api_calls",
      "x-rate-limit-limit": "5",
      "x-rate-limit-remaining": "0",
      "x-rate-limit-retry": String((clock.now() + 5_000) / 1000),
      // A page may read it.
      "access-control-allow-origin": page_origin,
    });
    all_left_the_window();
    await page.get(tiers, 200);
    all_left_the_window();
  });

  test("and server-side calls, questions of browsers and what is refused before do not count", async () => {
    for (let i = 0; i < 6; i += 1) {
      await api.get("/v1/promotions/tiers", 200);
      await page.send("OPTIONS", tiers, { status: 204 });
      await page.send("GET", tiers, { headers: { origin: "https://evil.example" }, status: 401 });
      await page.send("GET", "/client/v1/nothing", { status: 404 });
    }
    const { headers } = await page.get(tiers, 200);
    expect(headers.get("x-rate-limit-remaining")).toBe("4");
    all_left_the_window();
  });

  test("and a call that is one too many is refused before it is read: nothing is redeemed", async () => {
    for (let i = 0; i < 5; i += 1) await page.get(tiers, 200);
    const before = (await api.get("/v1/redemptions", 200)).body.total;
    await page.post("/client/v1/redeem?code=CODE", {}, 429);
    await page.send("POST", "/client/v1/redemptions", { raw: "{", status: 429 });
    expect((await api.get("/v1/redemptions", 200)).body.total).toBe(before);
    all_left_the_window();
  });
});

test("an operator may set how many calls, and in how many seconds", () => {
  const { client_side_limit: limit } = readConfig({
    GUERDON_CLIENT_SIDE_CALLS: "20",
    GUERDON_CLIENT_SIDE_SECONDS: "60",
  });
  expect(limit).toMatchObject({ calls_max: 20, window_ms: 60_000 });
  expect(readConfig({}).client_side_limit).toEqual(client_side_limit);
});
