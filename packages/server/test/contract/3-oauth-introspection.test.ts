import { describe, expect, test } from "vitest";
import { aToken, bearing, postForm } from "../../src/features/oauth/oauth.fixtures.js";
import { createClient } from "../harness/client.js";
import { startService } from "../harness/service.js";

const { api, url, project, clock } = await startService();
const path = "/v1/oauth/introspect";

describe("POST /v1/oauth/introspect", () => {
  test("the response is the OAuth token, with active", async () => {
    const access_token = await aToken(api, "vouchers");
    const { body } = await postForm(api, path, { access_token }, 200);
    expect(body).toEqual({
      access_token,
      client_id: project.app_id,
      expires_at: Math.floor(clock.now() / 1000) + body.expires_in,
      expires_in: expect.any(Number),
      scope: "vouchers",
      token_type: "Bearer",
      active: true,
    });
  });

  test("expires_in is the seconds left until expiry", async () => {
    const access_token = await aToken(api);
    const { body: before } = await postForm(api, path, { access_token }, 200);
    clock.advance({ minutes: 1 });
    const { body: after } = await postForm(api, path, { access_token }, 200);
    expect(before.expires_in - after.expires_in).toBe(60);
    expect(after.expires_at).toBe(before.expires_at);
  });

  test("a nonexistent token yields active false", async () => {
    const { body } = await postForm(api, path, { access_token: "nonexistent" }, 200);
    expect(body).toMatchObject({ active: false, access_token: "nonexistent", token_type: "Bearer" });
  });

  test("access_token is required, as a form field", async () => {
    await postForm(api, path, {}, 400);
    await api.post(path, { access_token: "nonexistent" }, 415);
  });

  test("it is authenticated with the application key pair", async () => {
    const access_token = await aToken(api);
    await postForm(createClient(url), path, { access_token }, 401);
    await postForm(bearing(url, access_token), path, { access_token }, 401);
  });
});
