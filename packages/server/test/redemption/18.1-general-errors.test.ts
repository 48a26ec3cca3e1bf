import { describe, expect, test } from "vitest";
import { aToken, bearing, missing_permission } from "../../src/features/oauth/oauth.fixtures.js";
import { aRule, off } from "../../src/features/promotions/promotion.fixtures.js";
import { createClient } from "../harness/client.js";
import {
  bodyOfBytes,
  bytes_max,
  invalidPayload,
  malformed,
  notFound,
  request_id,
  too_large,
  unauthorized,
} from "../harness/exact-bodies.js";
import { startService } from "../harness/service.js";
import { storedOf } from "../harness/stored.js";
import { type Endpoint, endpointsOf, nameOf } from "./endpoints.fixtures.js";

const { url, api, project, management, context } = await startService();
const endpoints = await endpointsOf(project, management);
const with_body = endpoints.filter(({ method, body }) => body !== undefined && method !== "GET");
const of_project = endpoints.filter(({ scope }) => scope !== "management");
const keyless = createClient(url);
const narrow = bearing(url, await aToken(api, "customers"));
const keysFor = ({ scope }: Endpoint) => (scope === "management" ? management : api);
const order = { amount: 10_000 };

// Each request has all faults that are looked for later, too: the first in the order of checks is told (platform.md §11.3).
const unread = { accept: "text/html", "content-type": "text/plain" };
const plain = { "content-type": "text/plain" };
const json = { "content-type": "application/json" };

/** What each endpoint answers, by its name. */
async function answersOf(asked: Endpoint[], ask: (endpoint: Endpoint) => Promise<{ status: number; body: unknown }>) {
  const answers: [string, unknown][] = [];
  for (const endpoint of asked) {
    const { status, body } = await ask(endpoint);
    answers.push([nameOf(endpoint), { status, body }]);
  }
  return Object.fromEntries(answers);
}
const all = (asked: Endpoint[], status: number, body: unknown) =>
  Object.fromEntries(asked.map((endpoint) => [nameOf(endpoint), { status, body }]));

describe("every endpoint of redemption.md §1 (§18.1, platform.md §11)", () => {
  test("without keys: 401, whatever else is wrong", async () => {
    const answers = await answersOf(endpoints, ({ method, path }) =>
      keyless.send(method, path, { headers: unread, raw: method === "GET" ? undefined : "{" }),
    );
    expect(answers).toEqual(all(endpoints, 401, unauthorized));
  });

  test("by a token whose scope does not cover it: 403", async () => {
    const answers = await answersOf(of_project, ({ method, path }) =>
      narrow.send(method, path, { headers: unread, raw: method === "GET" ? undefined : "{" }),
    );
    expect(answers).toEqual(all(of_project, 403, expect.objectContaining(missing_permission)));
  });

  test("for a caller who accepts no JSON: 406", async () => {
    const answers = await answersOf(endpoints, (endpoint) =>
      keysFor(endpoint).send(endpoint.method, endpoint.path, {
        headers: unread,
        raw: endpoint.method === "GET" ? undefined : "{",
      }),
    );
    expect(answers).toEqual(all(endpoints, 406, { code: 406, key: "not_acceptable", message: "Not Acceptable" }));
  });

  test("with a body of another type: 415", async () => {
    const answers = await answersOf(with_body, (endpoint) =>
      keysFor(endpoint).send(endpoint.method, endpoint.path, { headers: plain, raw: "{" }),
    );
    const refused = { code: 415, key: "unsupported_media_type", message: "Unsupported Media Type" };
    expect(answers).toEqual(all(with_body, 415, refused));
  });

  test("with a body that is no JSON: 400 in the shape of payloads", async () => {
    const answers = await answersOf(with_body, (endpoint) =>
      keysFor(endpoint).send(endpoint.method, endpoint.path, { headers: json, raw: '{"order":' }),
    );
    expect(answers).toEqual(all(with_body, 400, malformed));
  });

  test.each(["[]", "null", "7", '"text"'])(
    "with a body of %s, which is no object: 400 invalid_payload",
    async (raw) => {
      const answers = await answersOf(with_body, (endpoint) =>
        keysFor(endpoint).send(endpoint.method, endpoint.path, { headers: json, raw }),
      );
      expect(answers).toEqual(all(with_body, 400, invalidPayload(expect.any(String))));
    },
  );

  test("by a method that it does not have: 405, which names those it has", async () => {
    const order_of_methods = ["GET", "POST", "PUT", "DELETE"];
    const templateOf = (path: string) => path.replace(/(promo|stack|r|camp|stk)_\w+/g, "$1");
    for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
      const same = endpoints.filter((endpoint) => templateOf(endpoint.path) === templateOf(path));
      const methods = order_of_methods.filter((one) => same.some(({ method }) => method === one));
      const names = methods.join(", ").replace(/, (\w+)$/, " or $1");
      const { status, body, headers } = await keyless.send("PATCH", path, { headers: unread, raw: "{" });
      const details = `PATCH is not supported by this endpoint. Did you mean ${names}?`;
      expect({ path, status, body, allow: headers.get("allow") }).toEqual({
        path,
        status: 405,
        body: { code: 405, message: "HTTP Method Not Allowed", details },
        allow: methods.join(", "),
      });
    }
  });

  test("answers a browser's question without keys: 204", async () => {
    for (const path of new Set(endpoints.map((endpoint) => endpoint.path)))
      expect({ path, status: (await keyless.send("OPTIONS", path)).status }).toEqual({ path, status: 204 });
  });
});

describe("a body", () => {
  const paths = ["/v1/validations", "/v1/redemptions", "/v1/qualifications", "/v1/vouchers/FREE/redemption"];

  test.each(paths)("of more than 10 MB is refused by %s: 413", async (path) => {
    const { body } = await api.send("POST", path, { raw: bodyOfBytes(bytes_max + 1), status: 413 });
    expect(body).toEqual(too_large);
  });

  test.each(paths)("may have fields that %s does not know, and they are not echoed", async (path) => {
    const sent = { redeemables: [{ object: "voucher", id: "FREE", shade: "unheard-of" }], order, tone: "unheard-of" };
    const { body } = await api.post(path, sent, 200);
    expect(JSON.stringify(body)).not.toContain("unheard-of");
  });

  test.each<[unknown, string]>([
    [{}, "Payload must have required property 'redeemables'"],
    [{ redeemables: {} }, "Property .redeemables must be array"],
    [
      { redeemables: [{ object: "voucher", id: "A" }, {}] },
      "Property .redeemables[1] should have required property 'object'",
    ],
    [{ redeemables: [{ object: "voucher", id: 7 }] }, "Property .redeemables[0].id must be string"],
    [{ redeemables: 7, customer: 7 }, "Property .redeemables must be array"],
  ])("%j breaks the schema, and its first violation is told with the path", async (sent, details) => {
    for (const path of ["/v1/validations", "/v1/redemptions"])
      expect((await api.post(path, sent, 400)).body).toEqual(invalidPayload(details));
  });
});

describe("what is not there is named", () => {
  const rules = `/management/v1/projects/${project.id}/stacking-rules`;
  const asked = { redeemables: [{ object: "voucher", id: "FREE" }], order };

  test.each<[string, string, string, unknown?]>([
    ["redemption", "GET", "/v1/redemptions/NIL"],
    ["redemption", "POST", "/v1/redemptions/NIL/rollback", {}],
    ["redemption", "POST", "/v1/redemptions/NIL/rollbacks", {}],
    ["voucher", "GET", "/v1/vouchers/NIL/redemption"],
    ["voucher", "POST", "/v1/vouchers/NIL/redemption", { order }],
    ["voucher", "POST", "/v1/vouchers/NIL/validate", { order }],
    ["voucher", "DELETE", "/v1/vouchers/NIL/sessions/till"],
    ["session", "DELETE", "/v1/vouchers/FREE/sessions/NIL"],
    ["promotion_tier", "POST", "/v1/promotions/tiers/NIL/validation", { order }],
    ["promotion_tier", "POST", "/v1/promotions/tiers/NIL/redemption", { order }],
    ["promotion_tier", "GET", "/v1/promotions/tiers/NIL"],
    ["promotion_tier", "PUT", "/v1/promotions/tiers/NIL", { name: "x" }],
    ["promotion_tier", "DELETE", "/v1/promotions/tiers/NIL"],
    ["promotion_tier", "POST", "/v1/promotions/tiers/NIL/enable"],
    ["promotion_tier", "POST", "/v1/promotions/tiers/NIL/disable"],
    ["campaign", "GET", "/v1/promotions/NIL/tiers"],
    ["campaign", "POST", "/v1/promotions/NIL/tiers", { name: "x", action: off(1) }],
    ["campaign", "GET", "/v1/promotions/NIL/stacks"],
    ["campaign", "POST", "/v1/promotions/NIL/stacks", { name: "x", tiers: { ids: ["NIL"] } }],
    ["stacking_rules", "GET", `${rules}/NIL`],
    ["stacking_rules", "PUT", `${rules}/NIL`, { redeemables_limit: 3 }],
    ["stacking_rules", "DELETE", `${rules}/NIL`],
    ["project", "GET", "/management/v1/projects/NIL/stacking-rules"],
    ["voucher", "POST", "/v1/redemptions", { redeemables: [{ object: "voucher", id: "NIL" }], order }],
    ["promotion_tier", "POST", "/v1/redemptions", { redeemables: [{ object: "promotion_tier", id: "NIL" }], order }],
    ["promotion_stack", "POST", "/v1/redemptions", { redeemables: [{ object: "promotion_stack", id: "NIL" }], order }],
    // No result is of a stack, so that of a validation it cannot be in an entry (ADR 35).
    ["promotion_stack", "POST", "/v1/validations", { redeemables: [{ object: "promotion_stack", id: "NIL" }], order }],
    ["customer", "POST", "/v1/validations", { ...asked, customer: { id: "NIL" } }],
    ["customer", "POST", "/v1/redemptions", { ...asked, customer: { id: "NIL" } }],
    ["order", "POST", "/v1/validations", { ...asked, order: { id: "NIL" } }],
    ["order", "POST", "/v1/redemptions", { ...asked, order: { id: "NIL" } }],
  ])("a %s, by %s %s", async (resource_type, method, path, body) => {
    const by = path.startsWith("/management") ? management : api;
    const raw = body === undefined ? undefined : JSON.stringify(body);
    const answer = await by.send(method, path, { raw, status: 404 });
    expect(answer.body).toEqual(notFound(resource_type, "NIL"));
  });

  test.each(["voucher", "promotion_tier"])(
    "a %s that is validated, inside its entry, with the redeemable",
    async (object) => {
      const { body } = await api.post("/v1/validations", { redeemables: [{ object, id: "NIL" }], order }, 200);
      expect(body.inapplicable_redeemables[0].result.error).toEqual({
        ...notFound(object, "NIL"),
        redeemable_id: "NIL",
        redeemable_type: object,
      });
    },
  );

  test("a stack of a campaign that has others", async () => {
    const { path } =
      endpoints.find(({ path }) => path.endsWith("/stacks") && !path.endsWith("promotions/stacks")) ?? {};
    for (const method of ["GET", "DELETE"])
      expect((await api.send(method, `${path}/NIL`, { status: 404 })).body).toEqual(notFound("promotion_stack", "NIL"));
  });

  test("what was deleted, at the second deletion", async () => {
    await api.post("/v1/vouchers/GONE", off(100), 200);
    await api.delete("/v1/vouchers/GONE?force=true", 204);
    await api.delete("/v1/vouchers/GONE?force=true", 404);
    const redeemables = [{ object: "voucher", id: "GONE" }];
    expect((await api.post("/v1/redemptions", { redeemables, order }, 404)).body).toEqual(notFound("voucher", "GONE"));
  });
});

test("a second set of stacking rules is a conflict: 409", async () => {
  const path = `/management/v1/projects/${project.id}/stacking-rules`;
  expect((await management.post(path, { redeemables_limit: 3 }, 409)).body).toEqual({
    code: 409,
    key: "stacking_rules_exist",
    message: "Stacking rules exist",
    details: "Cannot exist more stacking rules for given project",
    request_id,
  });
});

test("a rule's own message stands in error.message, beside the message of its kind", async () => {
  const rule = await aRule(api, "order.amount", { $more_than: [20_000] }, { error: { message: "Buy more" } });
  await api.post("/v1/vouchers/RULED", { ...off(100), validation_rules: [rule] }, 200);
  const redeemables = [{ object: "voucher", id: "RULED" }];
  const told = {
    code: 400,
    key: "order_rules_violated",
    message: "order does not match validation rules",
    details: `Discount Coupon cannot be redeemed because of violated validation rules: ${rule}`,
    request_id,
    error: { message: "Buy more" },
  };
  const { body } = await api.post("/v1/validations", { redeemables, order }, 200);
  expect(body.redeemables[0].result.error).toMatchObject({
    ...told,
    redeemable_id: "RULED",
    redeemable_type: "voucher",
  });
  expect((await api.post("/v1/redemptions", { redeemables, order }, 400)).body).toMatchObject(told);
});

test("whatever is refused before it is decided leaves nothing", async () => {
  const before = await storedOf(context, project.id);
  const redeemables = [{ object: "voucher", id: "FREE" }];
  for (const path of ["/v1/validations", "/v1/redemptions"]) {
    await api.send("POST", path, { headers: unread, raw: "{", status: 406 });
    await api.send("POST", path, { headers: plain, raw: "{", status: 415 });
    await api.send("POST", path, { raw: "{", status: 400 });
    await api.post(path, { redeemables: 7 }, 400);
    await api.post(path, { redeemables, order, customer: { id: "NIL", name: "Nobody" } }, 404);
  }
  expect(await storedOf(context, project.id)).toEqual(before);
});

describe("pages that ask too often", () => {
  test("are told at the sixth call within five seconds, whichever key and call: 429", async () => {
    const limited = await startService({ client_side_limit: { calls_max: 5, window_ms: 5_000, addresses_max: 100 } });
    const other = await limited.anotherProject();
    const asked = { redeemables: [{ object: "voucher", id: "NIL" }], order };
    for (let i = 0; i < 4; i += 1) await limited.page.post("/client/v1/validations", asked, 200);
    await other.page.get("/client/v1/promotions/tiers", 200);
    const { body, headers } = await limited.page.post("/client/v1/redemptions", asked, 429);
    expect(body).toEqual({ code: 429, message: "Too many requests hit the API too quickly." });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    await limited.api.post("/v1/validations", asked, 200);
    limited.clock.advance({ ms: 5_001 });
    await limited.page.post("/client/v1/redemptions", asked, 404);
  });
});
