import { afterAll, describe, expect, test } from "vitest";
import { createLog } from "../../log.js";
import { createMetrics } from "../../metrics.js";
import { createApp } from "../app.js";
import { problems } from "../problems.js";
import { letTrustedIn } from "./trusted-domains.js";

const app = await createApp({
  log: createLog("silent"),
  metrics: createMetrics(),
  check_responses: false,
  path_words: {},
});
let domains: string[] = [];
app.get("/v1/campaigns", async () => ({}));
app.post("/v1/vouchers/:code", async () => ({}));
app.get("/client/v1/consents", { config: { cors: false } }, async (request, reply) => {
  if (!letTrustedIn(request, reply, domains)) throw problems.unauthorized();
  return {};
});
afterAll(() => app.close());

const page = "https://shop.example";

/** What an answer tells a browser. */
async function ask(method: "GET" | "OPTIONS", url: string, headers: Record<string, string> = {}) {
  const { statusCode: status, headers: answered, body } = await app.inject({ method, url, headers });
  return { status, origin: answered["access-control-allow-origin"], vary: answered.vary, answered, body };
}

describe("any page", () => {
  test.each<[string, Record<string, string>]>([
    ["naming its origin", { origin: page, "access-control-request-method": "POST" }],
    ["naming nothing", {}],
  ])("may ask by OPTIONS about a known path, %s", async (_, headers) => {
    for (const url of [
      "/v1/campaigns",
      "/v1/campaigns/",
      "/v1/vouchers/a%2Fb",
      "//v1/campaigns",
      "/client/v1/consents",
    ]) {
      const { status, origin, vary, answered, body } = await ask("OPTIONS", url, headers);
      expect({ url, status, origin, vary, body }).toEqual({ url, status: 204, origin: "*", vary: undefined, body: "" });
      expect(answered).toMatchObject({
        "access-control-allow-methods": "GET,POST,PUT,DELETE,OPTIONS",
        "access-control-max-age": "86400",
        "x-rate-limit-limit": "1000000",
      });
      expect(answered["access-control-allow-headers"]).toContain("X-App-Id,X-App-Token,");
      expect(answered["access-control-allow-credentials"]).toBeUndefined();
      expect(answered["x-request-id"]).toMatch(/^v-/);
    }
  });

  test("is told 404 about an unknown one", async () => {
    for (const url of ["/v1/nothing", "/", "/v1/campaigns/a/b", "*"]) {
      expect({ url, ...(await ask("OPTIONS", url, { origin: page })) }).toMatchObject({
        url,
        status: 404,
        origin: "*",
      });
    }
  });

  test.each([
    ["/v1/campaigns", 200],
    ["/v1/nothing", 404],
    ["/v1/vouchers/a", 405],
  ])("may read the answer to %s, which is %i", async (url, status) => {
    expect(await ask("GET", url, { origin: page })).toMatchObject({ status, origin: "*" });
  });
});

describe("a page of a trusted domain alone may read what the client side answers:", () => {
  test.each<[string, string[], boolean]>([
    [page, [page], true],
    [page, ["HTTPS://Shop.Example/"], true],
    [page, ["shop.example"], true],
    [`${page}:8443`, ["shop.example"], true],
    [`${page}:8443`, ["shop.example:8443"], true],
    [`${page}:8443`, ["shop.example:443"], false],
    [`${page}:8443`, [page], false],
    ["http://shop.example", [page], false],
    ["http://shop.example", ["other.example", "shop.example"], true],
    ["https://evil-shop.example", ["shop.example"], false],
    ["https://shop.example.evil", ["shop.example"], false],
    ["https://a.shop.example", ["shop.example"], false],
    ["http://[::1]:3000", ["[::1]"], true],
    ["null", ["null"], false],
    ["anything", ["*"], true],
    [page, [], false],
  ])("%s, trusted are %j: %s", async (origin, trusted, may) => {
    domains = trusted;
    const answer = await ask("GET", "/client/v1/consents", { origin });
    expect(answer).toMatchObject({ status: may ? 200 : 401, origin: may ? origin : undefined, vary: "Origin" });
  });

  test("who names no origin is let in where all are", async () => {
    domains = ["*"];
    expect(await ask("GET", "/client/v1/consents")).toMatchObject({ status: 200, origin: undefined });
    domains = ["shop.example"];
    expect(await ask("GET", "/client/v1/consents")).toMatchObject({ status: 401 });
  });
});
