import { describe, expect, test } from "vitest";
import { aToken, bearing, postForm } from "../../src/features/oauth/oauth.fixtures.js";
import { startService } from "../harness/service.js";

const { api, management, url, project } = await startService();
const as = async (scope: string) => bearing(url, await aToken(api, scope));
const form = (scope: string) => ({ grant_type: "client_credentials", scope });
const allowed = `api assets async-actions campaigns categories client_api client_consents client_customers client_events
  client_promotions client_publish client_qualifications client_redeem client_redemptions client_validate
  client_validations client_vouchers consents customers events exports locations loyalties metadata-schemas orders
  product-collections products promotions publications qualifications redemptions referrals rewards segments skus
  task-results templates trash-bin validation-rules-assignments validation-rules validations vouchers`.split(/\s+/);

describe("the application key pair", () => {
  test.each(["x-app-id", "x-app-token"])("needs both headers: not without %s", async (name) => {
    await api.send("GET", "/v1/customers", { headers: { [name]: null }, status: 401 });
  });

  test("is all that the token operations accept", async () => {
    const token = await aToken(api);
    for (const path of ["/v1/oauth/token", "/v1/oauth/introspect"]) {
      await postForm(bearing(url, token), path, { ...form("api"), access_token: token }, 401);
      await postForm(management, path, { ...form("api"), access_token: token }, 401);
      await postForm(api, path, { ...form("api"), access_token: token }, 200);
    }
  });
});

describe("the management key pair", () => {
  const path = `/management/v1/projects/${project.id}`;
  test.each(["x-management-id", "x-management-token"])("needs both headers: not without %s", async (name) => {
    await management.send("GET", path, { headers: { [name]: null }, status: 401 });
  });

  test("opens /management/v1 operations, which nothing else opens", async () => {
    await management.get(path, 200);
    await api.get(path, 401);
    await (await as("api")).get(path, 401);
    await management.get("/v1/customers", 401);
  });
});

describe("an OAuth bearer token", () => {
  test("is an alternative to the application key pair", async () => {
    await (await as("api")).get("/v1/customers", 200);
    await bearing(url, "nonexistent").get("/v1/customers", 401);
  });

  test("may have each allowed scope value, space-separated, and no other", async () => {
    expect((await postForm(api, "/v1/oauth/token", form(allowed.join(" ")), 200)).body.scope).toBe(allowed.join(" "));
    await postForm(api, "/v1/oauth/token", form("api unheard-of"), 400);
  });

  test("with scope api opens the whole server-side API, with client_api none of it", async () => {
    const [server, client] = [await as("api"), await as("client_api")];
    for (const path of ["/v1/customers", "/v1/campaigns", "/v1/vouchers", "/v1/products", "/v1/categories"]) {
      await server.get(path, 200);
      await client.get(path, 403);
    }
  });

  test("with any other scope opens the paths that start with /v1/<scope>", async () => {
    const campaigns = await as("campaigns");
    await campaigns.get("/v1/campaigns", 200);
    await campaigns.get("/v1/vouchers", 403);
    expect((await (await as("skus")).get("/v1/SKUs/none")).status).toBe(404);
  });

  test("updates product metadata in bulk with scope api or products", async () => {
    const sent = { source_ids: ["a"], metadata: {} };
    for (const scope of ["api", "products"]) await (await as(scope)).post("/v1/products/metadata/async", sent, 202);
    await (await as("async-actions")).post("/v1/products/metadata/async", sent, 403);
  });
});
