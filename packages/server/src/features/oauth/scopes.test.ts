import { describe, expect, test } from "vitest";
import { nameOf, operationsOf, pathWith } from "../../../test/harness/document.js";
import { startService } from "../../../test/harness/service.js";
import { aToken, bearing, postForm } from "./oauth.fixtures.js";
import { scopes, scopesFor } from "./scopes.js";

const { api, url } = await startService();
const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
  paths: Record<string, Record<string, { security: object[] }>>;
};
const securityOf = ({ method, path }: { method: string; path: string }) =>
  document.paths[path]?.[method.toLowerCase()]?.security ?? [];
/** What needs no credentials at all needs no scope; which operations these are, openapi.test.ts knows. */
const scoped = operationsOf(document).filter(
  (one) => one.path.startsWith("/v1/") && !one.path.startsWith("/v1/oauth/") && securityOf(one).length > 0,
);

/** A token for every scope alone, and one for all but the two named. */
const alone = new Map(await Promise.all(scopes.map(async (scope) => [scope, await aToken(api, scope)] as const)));
const withAllBut = (...left_out: string[]) =>
  aToken(api, scopes.filter((scope) => !left_out.includes(scope)).join(" "));

/** Asks as the token's bearer: a body that no operation takes, so that nothing happens behind the door. */
const statusOf = async (token: string, { method, path }: { method: string; path: string }) => {
  const raw = method === "GET" ? undefined : "[";
  const answer = await bearing(url, token).send(method, pathWith(path, {}), raw === undefined ? {} : { raw });
  return answer.status;
};

describe("the scopes", () => {
  test("are the contract's 42, each once, and one token may have them all", async () => {
    expect(new Set(scopes).size).toBe(42);
    const { body } = await postForm(
      api,
      "/v1/oauth/token",
      { grant_type: "client_credentials", scope: scopes.join(" ") },
      200,
    );
    expect(body.scope.split(" ")).toEqual(scopes);
  });

  test.each([
    ["/v1/vouchers", ["api", "vouchers"]],
    ["/v1/vouchers/:code/redemption", ["api", "vouchers"]],
    ["/v1/redemptions/:redemptionId/rollback", ["api", "redemptions"]],
    ["/v1/products/:productId/skus", ["api", "products"]],
    ["/v1/products/metadata/async", ["api", "products"]],
    ["/v1/customers/:customerId/redeemables", ["api", "customers"]],
    ["/v1/promotions/tiers/:tierId", ["api", "promotions"]],
    ["/v1/campaigns/:campaignId/disable", ["api", "campaigns"]],
    ["/v1/validation-rules/:id", ["api", "validation-rules"]],
    ["/v1/validation-rules-assignments", ["api", "validation-rules-assignments"]],
    ["/v1/validations", ["api", "validations"]],
    ["/v1/product-collections", ["api", "product-collections"]],
    ["/v1/skus/:skuId", ["api", "skus"]],
    ["/v1/SKUs/:skuId", ["api", "skus"]],
    ["/v1/Vouchers", ["api"]],
    ["/v1/client_vouchers", ["api"]],
    ["/v1/api", ["api"]],
    ["/v1/unheard-of", ["api"]],
    ["/v2/loyalties/programs", ["api"]],
    ["/v1/oauth/token", []],
    ["/v1/oauth/introspect", []],
    ["/management/v1/projects", []],
    ["/health", []],
    ["", []],
    ["/client/v1/customers/:customerId/consents", ["client_api", "client_customers"]],
    ["/client/v1/consents", ["client_api", "client_consents"]],
    ["/client/v1/events", ["client_api", "client_events"]],
    ["/client/v1/promotions/tiers", ["client_api", "client_promotions"]],
    ["/client/v1/publish", ["client_api", "client_publish"]],
    ["/client/v1/qualifications", ["client_api", "client_qualifications"]],
    ["/client/v1/redeem", ["client_api", "client_redeem"]],
    ["/client/v1/redemptions", ["client_api", "client_redemptions"]],
    ["/client/v1/validate", ["client_api", "client_validate"]],
    ["/client/v1/validations", ["client_api", "client_validations"]],
    ["/client/v1/vouchers", ["client_api", "client_vouchers"]],
    ["/client/v1/skus", ["client_api"]],
    ["/client/v2/vouchers", []],
  ])("of %s are %j", (path, expected) => {
    expect(scopesFor(path)).toEqual(expected);
  });
});

describe.each(scoped.map((operation) => ({ name: nameOf(operation), ...operation })))("$name", (operation) => {
  const own = operation.path.split("/")[2]!.replace(/^SKUs$/i, "skus");

  test("has a segment that some scope is for", () => {
    expect(scopes).toContain(own);
  });

  test("is opened by its own segment's scope and by api", async () => {
    for (const scope of [own, "api"]) {
      expect([401, 403], scope).not.toContain(await statusOf(alone.get(scope)!, operation));
    }
  });

  test("is opened by no other", async () => {
    expect(await statusOf(await withAllBut(own, "api"), operation)).toBe(403);
  });

  test("says so in the API's description", () => {
    expect(securityOf(operation)).toEqual([
      { "X-App-Id": [], "X-App-Token": [] },
      { OAuth: ["api"] },
      { OAuth: [own] },
      { Session: [] },
    ]);
  });
});
