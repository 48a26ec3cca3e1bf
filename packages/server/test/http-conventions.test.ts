import { describe, expect, test } from "vitest";
import { sql } from "../src/platform/db/sql.js";
import { editSettings } from "./harness/edits.js";
import { bodyOfBytes, bytes_max, invalidQuery, request_id, unauthorized } from "./harness/exact-bodies.js";
import { head, sendRaw } from "./harness/raw-http.js";
import { startService } from "./harness/service.js";

const { url, api, project, management, context, anotherProject } = await startService();
const keys = { "x-app-id": project.app_id, "x-app-token": project.app_token };

describe("credentials", () => {
  test.each<[string, string, Record<string, string | null>]>([
    ["none at all", "/v1/customers", { "x-app-id": null, "x-app-token": null }],
    ["an id without a token", "/v1/customers", { "x-app-token": null }],
    ["a token without an id", "/v1/customers", { "x-app-id": null }],
    ["an empty token", "/v1/customers", { "x-app-token": "" }],
    ["an unknown id", "/v1/customers", { "x-app-id": "c70a6f00-cf91-4756-9df5-47628850002b" }],
    ["a wrong token", "/v1/customers", { "x-app-token": `${project.app_token}0` }],
    ["a token of 9,000 characters", "/v1/customers", { "x-app-token": "t".repeat(9_000) }],
    ["an application's key on management", "/management/v1/projects", {}],
    [
      "a management key on the application's side",
      "/v1/customers",
      {
        "x-app-id": null,
        "x-app-token": null,
        "x-management-id": "test-management",
        "x-management-token": "test-management-token",
      },
    ],
  ])("%s: 401, and no more is said", async (_, path, headers) => {
    const { status, body } = await api.send("GET", path, { headers });
    expect({ status, body }).toEqual({ status: 401, body: unauthorized });
  });

  test("of a project's client side do not open the server side", async () => {
    const { body } = await management.post("/management/v1/projects", { name: "client side" }, 200);
    const { app_id, app_token } = body.client_side_key;
    const answer = await api.send("GET", "/v1/customers", {
      headers: { "x-app-id": app_id, "x-app-token": app_token },
    });
    expect(answer).toMatchObject({ status: 401, body: unauthorized });
  });

  test("that were blocked are refused by the next request", async () => {
    const other = await anotherProject();
    await other.api.get("/v1/customers", 200);
    await editSettings(
      context,
      other.id,
      sql`update api_keys set blocked = true where api_keys.project_id = ${other.id}`,
    );
    const { body } = await other.api.get("/v1/customers", 403);
    expect(body).toEqual({
      code: 403,
      key: "forbidden",
      message: "Forbidden",
      details: "API key is blocked",
      request_id,
    });
  });

  test("of a deleted project open nothing any more", async () => {
    const other = await anotherProject();
    await other.api.get("/v1/customers", 200);
    await management.delete(`/management/v1/projects/${other.id}`, 204);
    expect((await other.api.get("/v1/customers", 401)).body).toEqual(unauthorized);
  });

  test("are headers of any letter case", async () => {
    const headers = {
      "x-app-id": null,
      "x-app-token": null,
      "X-APP-ID": project.app_id,
      "X-App-Token": project.app_token,
    };
    await api.send("GET", "/v1/customers", { headers, status: 200 });
  });
});

describe("a path", () => {
  test.each(["/v1/nothing", "/v1", "/", "/v1/customers/a/b/c", "/V1/customers"])(
    "%s that nobody serves is 404",
    async (path) => {
      const { body } = await api.get(path, 404);
      expect(body).toEqual({
        code: 404,
        key: "not_found",
        message: "Resource not found",
        details: `Cannot find GET ${path}`,
        request_id,
      });
    },
  );

  test.each([
    ["PUT", "/v1/customers", "GET, POST", "PUT is not supported by this endpoint. Did you mean GET or POST?"],
    [
      "PATCH",
      "/v1/customers/a",
      "GET, PUT, DELETE",
      "PATCH is not supported by this endpoint. Did you mean GET, PUT or DELETE?",
    ],
    ["DELETE", "/health", "GET", "DELETE is not supported by this endpoint. Did you mean GET?"],
  ])("does not take %s %s", async (method, path, allow, details) => {
    const { body, headers } = await api.send(method, path, { status: 405 });
    expect(body).toEqual({ code: 405, message: "HTTP Method Not Allowed", details });
    expect(headers.get("allow")).toBe(allow);
  });

  test("may have slashes doubled, as the older client writes it", async () => {
    await api.post("//v1//customers", { source_id: "slashes" }, 200);
    expect((await api.get("/v1//customers//slashes", 200)).body.source_id).toBe("slashes");
  });

  test.each(["a/b", "50%", "a b+c", "é ü", "?&#=", "%2F", "日本", "🙂"])(
    "carries the id %j, decoded once",
    async (source_id) => {
      const { body } = await api.post("/v1/customers", { source_id }, 200);
      expect((await api.get(`/v1/customers/${encodeURIComponent(source_id)}`, 200)).body.id).toBe(body.id);
      await api.delete(`/v1/customers/${encodeURIComponent(source_id)}`, 204);
    },
  );

  test.each(["%zz", "%", "%ff", "%ed%a0%80", "a%00b"])("with %s in it cannot be read: 400", async (part) => {
    const { status, text, headers } = await sendRaw(url, [head("GET", `/v1/customers/${part}`, keys)]);
    expect({ status, type: headers["content-type"] }).toEqual({ status: 400, type: "application/json; charset=utf-8" });
    expect(JSON.parse(text)).toMatchObject({ code: 400, key: "invalid_query_params" });
  });

  test.each([
    [256, "Property .customerId must NOT have more than 255 characters"],
    [9_000, "Path is too long"],
  ])("with an id of %i characters is refused", async (length, details) => {
    expect((await api.get(`/v1/customers/${"x".repeat(length)}`, 400)).body).toEqual(invalidQuery(details));
  });
});

describe("a file of the documentation", () => {
  test.each([
    "/docs/static/../../package.json",
    "/docs/static/%2e%2e/%2e%2e/package.json",
    "/docs/static/..%2f..%2fpackage.json",
    "/docs/static/..%5c..%5cpackage.json",
    "/docs/static/../../../../../../../../etc/passwd",
    "/docs/static//etc/passwd",
    "/docs/static/%2fetc%2fpasswd",
    "/docs/static/.env",
    "/docs/static/nothing.js",
    "/docs/static",
    "/docs/..",
  ])("is not at %s: 404", async (target) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers, text } = await sendRaw(url, [head(method, target, {})]);
      expect({ status, type: headers["content-type"] }).toEqual({
        status: 404,
        type: "application/json; charset=utf-8",
      });
      if (method === "GET") expect(JSON.parse(text)).toMatchObject({ code: 404, key: "not_found" });
    }
  });

  test.each(["/docs/%zz"])("has no name such as %s: 400", async (target) => {
    expect((await sendRaw(url, [head("GET", target, {})])).status).toBe(400);
  });
});

test("an answer without a body has none, not even null", async () => {
  const headers = { ...keys, "content-type": "application/x-www-form-urlencoded" };
  const body = "access_token=nobodys";
  const response = await fetch(`${url}/v1/oauth/token/revoke`, { method: "POST", headers, body });
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 404, text: "" });
});

describe("a browser's question OPTIONS", () => {
  test("is answered on a known path without credentials", async () => {
    const response = await fetch(`${url}/v1/customers`, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("GET,POST,PUT,DELETE,OPTIONS");
    expect(response.headers.get("access-control-max-age")).toBe("86400");
    expect(response.headers.get("access-control-allow-headers")?.split(",")).toEqual(
      expect.arrayContaining(["X-App-Id", "X-App-Token", "X-Voucherify-Channel", "Content-Type", "Accept"]),
    );
  });

  test("is 404 on an unknown one", async () => {
    expect((await fetch(`${url}/v1/nothing`, { method: "OPTIONS" })).status).toBe(404);
  });
});

describe("every answer", () => {
  test.each<[string, string, number]>([
    ["GET", "/v1/customers", 200],
    ["GET", "/v1/customers/nobody", 404],
    ["PATCH", "/v1/customers", 405],
    ["GET", "/v1/nothing", 404],
  ])("to %s %s carries a request id, the limits and who may read them", async (method, path, status) => {
    const { headers, body } = await api.send(method, path, { status });
    expect(headers.get("x-request-id")).toMatch(/^v-[0-9a-f]{18}$/);
    if (body.request_id !== undefined) expect(body.request_id).toBe(headers.get("x-request-id"));
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(Number(headers.get("x-rate-limit-limit"))).toBeGreaterThan(0);
    expect(Number(headers.get("x-rate-limit-remaining"))).toBeGreaterThan(0);
    expect(headers.get("access-control-allow-origin")).toBe("*");
  });

  test.each([
    ["application/json", 200],
    ["application/*", 200],
    ["*/*", 200],
    ["text/html, */*;q=0.1", 200],
    ["APPLICATION/JSON; charset=utf-8", 200],
    ["text/html", 406],
    ["text/*, image/png", 406],
  ])("to a caller who accepts %s: %i", async (accept, status) => {
    const { body } = await api.send("GET", "/v1/customers", { headers: { accept }, status });
    if (status === 406) expect(body).toEqual({ code: 406, key: "not_acceptable", message: "Not Acceptable" });
  });
});

test.each(["segments", "locations", "trash-bin", "templates/campaigns", "async-actions"])(
  "of %s is the first page whatever a page number says, since it has none",
  async (list) => {
    for (const page of ["0", "-1", "2", "x", "99999999999999999999"])
      expect(await api.get(`/v1/${list}?page=${page}`)).toMatchObject({ status: 200 });
  },
);

describe("of several faults the first in this order is told", () => {
  const json = { "content-type": "application/json" };
  const plain = { "content-type": "text/plain" };
  const keyless = { "x-app-id": null, "x-app-token": null };
  const html = { accept: "text/html" };
  const huge = bodyOfBytes(bytes_max + 1);

  test.each<[string, string, string, Record<string, string | null>, string | Uint8Array, number]>([
    ["an unknown path", "POST", "/v1/nothing", { ...keyless, ...html, ...plain }, "{", 404],
    ["a wrong method", "PATCH", "/v1/customers", { ...keyless, ...html, ...plain }, "{", 405],
    ["wrong credentials", "POST", "/v1/customers", { ...keyless, ...html, ...plain }, "{", 401],
    ["wrong credentials before size", "POST", "/v1/customers", { ...keyless, ...json }, huge, 401],
    ["what is accepted", "POST", "/v1/customers", { ...html, ...plain }, "{", 406],
    ["the type", "POST", "/v1/customers", plain, huge, 415],
    ["the size", "POST", "/v1/customers", json, Buffer.concat([huge, Buffer.from("{")]), 413],
    ["the syntax", "PUT", "/v1/customers/nobody", json, '{"name":7', 400],
    ["the schema", "PUT", "/v1/customers/nobody", json, '{"name":7}', 400],
    ["the resource", "PUT", "/v1/customers/nobody", json, "{}", 404],
  ])("%s: %s %s", async (_, method, path, headers, raw, status) => {
    await api.send(method, path, { headers, raw, status });
  });
});

describe("what is hardly HTTP", () => {
  test.each([
    ["no request at all", "nonsense\r\n\r\n"],
    ["a header of 64 KB", `GET /health HTTP/1.1\r\nhost: x\r\nx-long: ${"x".repeat(65_536)}\r\n\r\n`],
    ["two lengths", "POST /v1/customers HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}"],
  ])("%s gets a refusal in JSON, and the next caller an answer", async (_, text) => {
    const answer = await sendRaw(url, [text]);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(JSON.parse(answer.text)).toHaveProperty("message");
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });
});
