import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { hashOfSecret } from "../../platform/secrets.js";
import { aToken, bearing, postForm, unauthorized } from "./oauth.fixtures.js";

const { api, clock, context, project, anotherProject, url } = await startService();
const { db } = context;
const operations = ["/v1/oauth/token", "/v1/oauth/introspect", "/v1/oauth/token/revoke"];
const missing_parameters = { code: 400, key: "missing_parameters", message: "Missing parameters" };
const seconds = () => Math.floor(clock.now() / 1000);

const ask = (fields: Record<string, string> | string, status: number) =>
  postForm(api, "/v1/oauth/token", fields, status);
const askScope = (scope: string, status: number) => ask({ grant_type: "client_credentials", scope }, status);
const introspect = (access_token: string, by = api) => postForm(by, "/v1/oauth/introspect", { access_token }, 200);
const revoke = (access_token: string, status: number, by = api) =>
  postForm(by, "/v1/oauth/token/revoke", { access_token }, status);
const inactive = (access_token: string) => ({
  active: false,
  access_token,
  client_id: "",
  expires_at: 0,
  expires_in: 0,
  scope: "",
  token_type: "Bearer",
});

describe("a token", () => {
  test("is given to an application for 15 minutes, with the scopes it asked for", async () => {
    const { body, headers } = await askScope("vouchers campaigns", 200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9]{50}$/),
      client_id: project.app_id,
      expires_at: seconds() + 900,
      expires_in: 900,
      scope: "vouchers campaigns",
      token_type: "Bearer",
    });
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("counts its 900 seconds from the whole second", async () => {
    clock.set("2026-03-02T10:00:00.999Z");
    const { body } = await askScope("api", 200);
    expect(body).toMatchObject({ expires_in: 900, expires_at: Date.parse("2026-03-02T10:15:00Z") / 1000 });
  });

  test("is another one each time, for the same client", async () => {
    const [one, other] = await Promise.all([askScope("api", 200), askScope("api", 200)]);
    expect(one.body.access_token).not.toBe(other.body.access_token);
    expect(one.body.client_id).toBe(other.body.client_id);
  });

  test("is stored as a hash alone", async () => {
    const access_token = await aToken(api);
    const rows = await db.many<{ row: string }>(
      sql`select oauth_tokens::text as row from oauth_tokens where oauth_tokens.project_id = ${project.id}`,
    );
    const text = rows.map(({ row }) => row).join("\n");
    expect(text).toContain(hashOfSecret(access_token).toString("hex"));
    expect(text).not.toContain(access_token);
  });

  test.each([
    ["api", "api"],
    ["  vouchers   campaigns ", "vouchers campaigns"],
    ["vouchers campaigns vouchers", "vouchers campaigns"],
    ["client_publish skus api", "client_publish skus api"],
  ])("asked for %j is granted %j", async (asked, granted) => {
    expect((await askScope(asked, 200)).body.scope).toBe(granted);
  });

  test.each([
    ["vouchers,campaigns", "vouchers,campaigns"],
    ["nothing", "nothing"],
    ["b vouchers a,c api b", "b a,c"],
    ["Vouchers", "Vouchers"],
    ["SKUs", "SKUs"],
    ["client_skus", "client_skus"],
    ["oauth", "oauth"],
    ["management", "management"],
    ["ADMIN", "ADMIN"],
    ["vouchers\tcampaigns", "vouchers\tcampaigns"],
    ["*", "*"],
  ])("asked for %j is refused for %j", async (asked, refused) => {
    const { body } = await askScope(asked, 400);
    expect(body).toMatchObject({ code: 400, key: "invalid_scope", message: `Invalid scope: ${refused}` });
  });

  test.each<[string, Record<string, string> | string]>([
    ["no field", ""],
    ["no grant", "scope=api"],
    ["no scope", "grant_type=client_credentials"],
    ["an empty grant", "grant_type=&scope=api"],
    ["an empty scope", "grant_type=client_credentials&scope="],
    ["a scope of spaces", { grant_type: "client_credentials", scope: "   " }],
    ["a wrong grant and no scope", "grant_type=password"],
  ])("is refused with %s", async (_, fields) => {
    expect((await ask(fields, 400)).body).toMatchObject(missing_parameters);
  });

  test.each(["password", "authorization_code", "CLIENT_CREDENTIALS", "client_credentials "])(
    "is not granted by %j, whatever the scope",
    async (grant_type) => {
      for (const scope of ["api", "nothing"]) {
        const { body } = await ask({ grant_type, scope }, 400);
        expect(body).toMatchObject({ code: 400, key: "invalid_grant_type", message: "Invalid grant_type" });
      }
    },
  );

  test.each([
    ["grant_type=client_credentials&scope=api&scope=vouchers", "Property .scope must be string"],
    ["grant_type=client_credentials&scope[]=api", "Property .scope must be string"],
    ["grant_type[a][b][c]=1&scope=api", "Property .grant_type must be string"],
    ["grant_type=client_credentials&scope=a%00b", "Property .scope contains characters that cannot be stored"],
    [
      `grant_type=client_credentials&scope=${"x".repeat(20_000)}`,
      "Property .scope must NOT have more than 16384 characters",
    ],
  ])("is refused for the form %j", async (form, details) => {
    expect((await ask(form, 400)).body).toMatchObject({ code: 400, key: "invalid_payload", details });
  });

  test("is not disturbed by fields nobody knows", async () => {
    await ask("grant_type=client_credentials&scope=api&client_id=7&__proto__=1&constructor[prototype]=2", 200);
  });
});

describe("introspection", () => {
  test("tells what is left of a token", async () => {
    clock.set("2025-02-07T16:03:06.000Z");
    const { body: made } = await askScope("vouchers api", 200);
    clock.advance({ ms: 345_000 });
    const { body } = await introspect(made.access_token);
    expect(body).toEqual({ ...made, expires_at: 1738945086, expires_in: 555, active: true });
  });

  test.each([
    [899_999, 1],
    [900_000, 0],
    [901_000, 0],
  ])("after %i ms sees %i seconds left, and none is not active", async (ms, expires_in) => {
    clock.set("2026-03-02T10:00:00.000Z");
    const token = await aToken(api);
    clock.advance({ ms });
    const { body } = await introspect(token);
    expect(body).toMatchObject({ active: expires_in > 0, expires_in });
    await bearing(url, token).get("/v1/customers", expires_in > 0 ? 200 : 401);
    await revoke(token, expires_in > 0 ? 204 : 404);
  });

  test.each(["nobody", "x", "' or 1=1", "🙂", "x".repeat(9_000)])(
    "of an unknown token says that and no more",
    async (token) => {
      expect((await introspect(token)).body).toEqual(inactive(token));
    },
  );

  test("sees a revoked token as inactive", async () => {
    const token = await aToken(api);
    await revoke(token, 204);
    expect((await introspect(token)).body).toEqual(inactive(token));
  });

  test("sees another project's token as inactive", async () => {
    const other = await anotherProject();
    const token = await aToken(other.api);
    expect((await introspect(token)).body).toEqual(inactive(token));
    expect((await introspect(token, other.api)).body.active).toBe(true);
  });

  test.each(["", "access_token=", "token=abc"])("of %j misses its parameter", async (form) => {
    expect((await postForm(api, "/v1/oauth/introspect", form, 400)).body).toMatchObject(missing_parameters);
  });
});

describe("revoking", () => {
  test("ends a token at once, and says so once", async () => {
    const token = await aToken(api);
    await bearing(url, token).get("/v1/customers", 200);
    expect((await revoke(token, 204)).body).toBeNull();
    expect((await bearing(url, token).get("/v1/customers", 401)).body).toEqual(unauthorized);
    expect((await revoke(token, 404)).body).toBeNull();
  });

  test("by 16 parallel requests succeeds for one", async () => {
    const token = await aToken(api);
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => postForm(api, "/v1/oauth/token/revoke", { access_token: token })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(15).fill(404)]);
  });

  test.each(["nobody", "x".repeat(9_000)])("an unknown token is 404 without a body", async (token) => {
    expect((await revoke(token, 404)).body).toBeNull();
  });

  test("another project's token is not possible", async () => {
    const other = await anotherProject();
    const token = await aToken(other.api);
    await revoke(token, 404);
    await bearing(url, token).get("/v1/customers", 200);
  });

  test.each(["", "access_token=", "token=abc"])("with %j misses its parameter", async (form) => {
    expect((await postForm(api, "/v1/oauth/token/revoke", form, 400)).body).toMatchObject(missing_parameters);
  });
});

describe.each(operations)("%s", (path) => {
  test.each([
    ["application/json", "{}"],
    ["multipart/form-data; boundary=x", "--x--"],
    ["text/plain", "grant_type=client_credentials&scope=api"],
  ])("takes no %s", async (type, raw) => {
    const { body } = await postForm(api, path, raw, 415, { "content-type": type });
    expect(body).toEqual({ code: 415, key: "unsupported_media_type", message: "Unsupported Media Type" });
  });

  test("takes a form in any spelling of its type", async () => {
    const type = "Application/X-WWW-Form-Urlencoded; charset=UTF-8";
    const form = "grant_type=client_credentials&scope=api&access_token=none";
    const { status } = await postForm(api, path, form, undefined, { "content-type": type });
    expect(status).toBe(path.endsWith("revoke") ? 404 : 200);
  });

  test("is closed to a token, and to nobody", async () => {
    const form = { grant_type: "client_credentials", scope: "api", access_token: "none" };
    const token = await aToken(api);
    expect((await postForm(bearing(url, token), path, form, 401)).body).toEqual(unauthorized);
    expect((await postForm(bearing(url, ""), path, form, 401)).body).toEqual(unauthorized);
  });

  test("takes no bytes that are not UTF-8", async () => {
    const raw = Buffer.concat([Buffer.from("scope=api&grant_type="), Buffer.from([0xc3, 0x28])]);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { body } = await api.send("POST", path, { raw, headers, status: 400 });
    expect(body).toMatchObject({ key: "invalid_payload" });
  });
});
