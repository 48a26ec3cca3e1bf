import { describe, expect, test } from "vitest";
import { bearing, postForm } from "../../src/features/oauth/oauth.fixtures.js";
import { createClient } from "../harness/client.js";
import { startService } from "../harness/service.js";

const { api, url, project, clock } = await startService();
const path = "/v1/oauth/token";
const grant_type = "client_credentials";

describe("POST /v1/oauth/token", () => {
  test("the response is an OAuth token, without active", async () => {
    const { body } = await postForm(api, path, { grant_type, scope: "api" }, 200);
    expect(body).toEqual({
      access_token: expect.any(String),
      client_id: project.app_id,
      expires_at: Math.floor(clock.now() / 1000) + body.expires_in,
      expires_in: expect.any(Number),
      scope: "api",
      token_type: "Bearer",
    });
    await bearing(url, body.access_token).get("/v1/customers", 200);
  });

  test("the content type is application/x-www-form-urlencoded, and no other", async () => {
    await api.post(path, { grant_type, scope: "api" }, 415);
  });

  test("it is authenticated with the application key pair", async () => {
    await postForm(createClient(url), path, { grant_type, scope: "api" }, 401);
  });

  test("grant_type is client_credentials", async () => {
    await postForm(api, path, { scope: "api" }, 400);
    await postForm(api, path, { grant_type: "password", scope: "api" }, 400);
  });

  test("scope is a space-delimited list, never comma-delimited", async () => {
    const { body } = await postForm(api, path, { grant_type, scope: "vouchers campaigns" }, 200);
    expect(body.scope).toBe("vouchers campaigns");
    await postForm(api, path, { grant_type, scope: "vouchers,campaigns" }, 400);
    await postForm(api, path, { grant_type }, 400);
  });
});
