import { describe, expect, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { editSettings } from "../../../test/harness/edits.js";
import { request_id, unauthorized } from "../../../test/harness/exact-bodies.js";
import { page_origin, startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aToken, bearing } from "../oauth/oauth.fixtures.js";

const { url, api, page, project, management, context, anotherProject } = await startService();
const discount = { type: "AMOUNT", amount_off: 100 };
await api.post("/v1/vouchers/CODE", { discount }, 200);

const redeemables = [{ object: "voucher", id: "CODE" }];
const asked = JSON.stringify({ redeemables, order: { amount: 1000 } });
const operations: [method: string, path: string, raw?: string][] = [
  ["POST", "/client/v1/validations", asked],
  ["POST", "/client/v1/redemptions", asked],
  ["POST", "/client/v1/qualifications", "{}"],
  ["GET", "/client/v1/promotions/tiers"],
  ["GET", "/client/v1/validate?code=CODE"],
  ["GET", "/client/v1/promotions/validation"],
  ["POST", "/client/v1/redeem?code=CODE", "{}"],
];
const key_of_page = { "x-client-application-id": project.client_id, "x-client-token": project.client_token };
const key_of_server = { "x-app-id": project.app_id, "x-app-token": project.app_token };
const nobody = createClient(url);
const change = (fields: object, id = project.id) => management.put(`/management/v1/projects/${id}`, fields, 200);

describe.each(operations)("%s %s", (method, path, raw) => {
  const call = (headers: Record<string, string>, status: number) => nobody.send(method, path, { raw, headers, status });

  test("answers a client-side key on a page of a trusted domain", async () => {
    const { headers } = await call({ ...key_of_page, origin: page_origin }, 200);
    expect(headers.get("access-control-allow-origin")).toBe(page_origin);
    expect(headers.get("vary")).toContain("Origin");
    expect(headers.get("access-control-expose-headers")).toContain("X-Rate-Limit-Remaining");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  test.each<[string, Record<string, string>]>([
    ["no key", { origin: page_origin }],
    ["an id without a token", { "x-client-application-id": project.client_id, origin: page_origin }],
    ["a token without an id", { "x-client-token": project.client_token, origin: page_origin }],
    ["a wrong token", { ...key_of_page, "x-client-token": "wrong", origin: page_origin }],
    ["the server-side key in its own headers", { ...key_of_server, origin: page_origin }],
    [
      "the server-side key in the client's headers",
      { "x-client-application-id": project.app_id, "x-client-token": project.app_token, origin: page_origin },
    ],
    ["a management key", { "x-management-id": "test-management", "x-management-token": "test-management-token" }],
    ["no origin", key_of_page],
    ["an untrusted origin", { ...key_of_page, origin: "https://evil.example" }],
    ["the origin of a sandboxed page", { ...key_of_page, origin: "null" }],
  ])("is 401 with %s, and no page may read why", async (_, sent) => {
    const { body, headers } = await call(sent, 401);
    expect(body).toEqual(unauthorized);
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("may be asked about by any page, without credentials", async () => {
    const { headers } = await nobody.send("OPTIONS", path, { headers: { origin: page_origin }, status: 204 });
    expect(headers.get("access-control-allow-headers")).toContain("X-Client-Application-Id,X-Client-Token");
    expect(headers.get("access-control-allow-methods")).toBe("GET,POST,PUT,DELETE,OPTIONS");
    expect(headers.get("access-control-max-age")).toBe("86400");
  });
});

test("a client-side key opens nothing on the server side and in management", async () => {
  const { client_id, client_token } = project;
  for (const path of ["/v1/vouchers/CODE", "/v1/customers", "/v1/redemptions"]) {
    const as_client: Record<string, string> = { ...key_of_page, origin: page_origin };
    for (const headers of [as_client, { "x-app-id": client_id, "x-app-token": client_token }]) {
      expect((await nobody.send("GET", path, { headers, status: 401 })).body).toEqual(unauthorized);
    }
  }
  const as_management = { "x-management-id": client_id, "x-management-token": client_token };
  await nobody.send("GET", "/management/v1/projects", { headers: as_management, status: 401 });
  const minting = { ...key_of_page, origin: page_origin, "content-type": "application/x-www-form-urlencoded" };
  await nobody.send("POST", "/v1/oauth/token", { raw: "grant_type=client_credentials", headers: minting, status: 401 });
});

test("a blocked client-side key is refused by the next request", async () => {
  const other = await anotherProject();
  await other.page.get("/client/v1/promotions/tiers", 200);
  const blocked = sql`update api_keys set blocked = true
                       where api_keys.project_id = ${other.id} and api_keys.kind = 'client'`;
  await editSettings(context, other.id, blocked);
  const { body } = await other.page.get("/client/v1/promotions/tiers", 403);
  expect(body).toMatchObject({ key: "forbidden", details: "API key is blocked" });
  await other.api.get("/v1/customers", 200);
});

describe("trusted domains", () => {
  test("of a new project are none, and its switches are off", async () => {
    const { body } = await management.post("/management/v1/projects", { name: "new" }, 200);
    expect(body).toMatchObject({
      client_trusted_domains: [],
      client_redeem_enabled: false,
      client_publish_enabled: false,
      client_list_vouchers_enabled: false,
      client_create_customer_enabled: false,
      client_loyalty_events_enabled: false,
      client_set_voucher_expiration_date_enabled: false,
    });
    const { app_id, app_token } = body.client_side_key;
    const headers = { "x-client-application-id": app_id, "x-client-token": app_token, origin: page_origin };
    await nobody.send("GET", "/client/v1/promotions/tiers", { headers, status: 401 });
  });

  test("are replaced as a whole, and hold from the next request on", async () => {
    const other = await anotherProject({ client_trusted_domains: ["a.example"] });
    const from = (origin: string, status: number) =>
      other.page.send("GET", "/client/v1/promotions/tiers", { headers: { origin }, status });
    await from("https://a.example", 200);
    await change({ client_trusted_domains: ["https://b.example/"] }, other.id);
    await from("https://a.example", 401);
    await from("https://b.example", 200);
    await from("http://b.example", 401);
    await change({ client_trusted_domains: [] }, other.id);
    await from("https://b.example", 401);
  });

  test("may be a wildcard, which lets in who names no origin too", async () => {
    const other = await anotherProject({ client_trusted_domains: ["*"] });
    const path = "/client/v1/promotions/tiers";
    await other.page.send("GET", path, { headers: { origin: null }, status: 200 });
    await other.page.send("GET", path, { headers: { origin: "https://anywhere.example" }, status: 200 });
  });
});

describe("redeeming from a page", () => {
  test.each([
    ["/client/v1/redemptions", asked],
    ["/client/v1/redeem?code=CODE", "{}"],
  ])("by %s is refused while its switch is off, and changes nothing", async (path, raw) => {
    await change({ client_redeem_enabled: false });
    const { body, headers } = await page.send("POST", path, { raw, status: 403 });
    expect(body).toEqual({
      code: 403,
      key: "forbidden",
      message: "Forbidden",
      details: "The project does not let client-side calls redeem",
      request_id,
    });
    // The page is trusted, so it may read this.
    expect(headers.get("access-control-allow-origin")).toBe(page_origin);
    const before = (await api.get("/v1/redemptions", 200)).body.total;
    await change({ client_redeem_enabled: true });
    expect((await api.get("/v1/redemptions", 200)).body.total).toBe(before);
    await page.send("POST", path, { raw, status: 200 });
  });

  test("asks for no other switch, and asking what would be redeemed for none at all", async () => {
    await change({ client_redeem_enabled: false });
    await page.post("/client/v1/validations", { redeemables }, 200);
    await page.post("/client/v1/qualifications", {}, 200);
    await page.get("/client/v1/validate?code=CODE", 200);
    await page.get("/client/v1/promotions/tiers", 200);
    await change({ client_redeem_enabled: true });
  });
});

describe("a bearer token on the client side", () => {
  test("with a scope of the client side stands in for the key", async () => {
    for (const scope of ["client_api", "client_validations"]) {
      const token = bearing(url, await aToken(api, scope));
      await token.post("/client/v1/validations", { redeemables }, 200);
    }
  });

  test.each([
    ["api", "/client/v1/validate?code=CODE"],
    ["validations", "/client/v1/validate?code=CODE"],
    ["client_validations", "/client/v1/validate?code=CODE"],
    ["client_promotions client_redeem", "/client/v1/validate?code=CODE"],
    ["client_api", "/v1/vouchers/CODE"],
    ["client_vouchers", "/v1/vouchers/CODE"],
  ])("with scope %s does not open %s", async (scope, path) => {
    const { body } = await bearing(url, await aToken(api, scope)).get(path, 403);
    expect(body.key).toBe("missing_required_permission");
  });

  test("may come from a server, and from trusted pages, but from no other page", async () => {
    const token = bearing(url, await aToken(api, "client_promotions"));
    const from = (headers: Record<string, string>, status: number) =>
      token.send("GET", "/client/v1/promotions/tiers", { headers, status });
    await from({}, 200);
    await from({ origin: page_origin }, 200);
    expect((await from({ origin: "https://evil.example" }, 401)).body).toEqual(unauthorized);
  });

  test("obeys the project's switches, and the role of its key", async () => {
    const other = await anotherProject({ client_redeem_enabled: false });
    await other.api.post("/v1/vouchers/CODE", { discount }, 200);
    const token = bearing(url, await aToken(other.api, "client_api"));
    await token.post("/client/v1/redeem?code=CODE", {}, 403);
    await change({ client_redeem_enabled: true }, other.id);
    await token.post("/client/v1/redeem?code=CODE", {}, 200);
    const viewing = sql`update api_keys set role = 'VIEWER' where api_keys.project_id = ${other.id}`;
    await editSettings(context, other.id, viewing);
    expect((await token.post("/client/v1/redeem?code=CODE", {}, 403)).body.key).toBe("missing_required_permission");
    await token.get("/client/v1/validate?code=CODE", 200);
    await token.get("/client/v1/validate?code=CODE&session_type=LOCK", 403);
  });
});

test("what is wrong is told in order: who asks, what may be asked, and only then what was sent", async () => {
  const path = "/client/v1/redemptions";
  const untrusted = { origin: "https://evil.example" };
  await page.send("POST", path, { raw: "{", headers: untrusted, status: 401 });
  await change({ client_redeem_enabled: false });
  await page.send("POST", path, { raw: "{", status: 403 });
  await change({ client_redeem_enabled: true });
  await page.send("POST", path, { raw: "{", status: 400 });
  await page.send("POST", "/client/v1/nothing", { raw: "{", headers: untrusted, status: 404 });
  await page.send("PUT", path, { raw: "{", headers: untrusted, status: 405 });
});

test("what the client side does not serve yet is an unknown path", async () => {
  for (const path of ["customers", "vouchers", "consents"]) {
    await page.send("GET", `/client/v1/${path}`, { status: 404 });
  }
});
