import { describe, expect, test } from "vitest";
import { startService } from "../harness/service.js";

const { management, api, project } = await startService({
  project: { name: "Shop", timezone: "Europe/Paris", client_redeem_enabled: false, client_publish_enabled: false },
});
const path = `/management/v1/projects/${project.id}`;
const { body: shown } = await management.get(path, 200);

const callout = { email: expect.any(Boolean), emails: expect.any(Array), in_app: expect.any(Boolean) };
const usage = {
  value: expect.any(Number),
  emails: expect.any(Array),
  in_app: expect.any(Boolean),
  enabled: expect.any(Boolean),
};

describe("GET /management/v1/projects/{projectId}", () => {
  test("the response is the project", () => {
    expect(shown).toMatchObject({
      id: project.id,
      name: "Shop",
      description: expect.any(String),
      timezone: "Europe/Paris",
      currency: expect.stringMatching(/^[A-Z]{3}$/),
      client_trusted_domains: expect.any(Array),
      cluster_id: expect.any(String),
      case_sensitive_codes: true,
      is_sandbox: false,
      webhook_token: expect.any(String),
    });
  });

  test.each([
    "client_redeem_enabled",
    "client_publish_enabled",
    "client_list_vouchers_enabled",
    "client_create_customer_enabled",
    "client_loyalty_events_enabled",
    "client_set_voucher_expiration_date_enabled",
  ])("%s is a switch of the project", async (name) => {
    expect(shown[name]).toBe(false);
    await management.put(path, { [name]: true }, 200);
    expect((await management.get(path, 200)).body[name]).toBe(true);
  });

  test("webhooks_callout_notifications has webhooks and distributions", () => {
    expect(shown.webhooks_callout_notifications).toEqual({ webhooks: callout, distributions: callout });
  });

  test("api_usage_notifications has a threshold for each counter", () => {
    expect(shown.api_usage_notifications).toEqual({
      messages: usage,
      api_calls: usage,
      cycle_calls: usage,
      redemptions: usage,
      webhook_calls: usage,
      bulk_api_calls: usage,
    });
  });

  test("it is authenticated with the management key pair", async () => {
    await management.send("GET", path, { headers: { "x-management-token": null }, status: 401 });
    await api.get(path, 401);
  });

  test("an unknown project is 404", async () => {
    const { body } = await management.get("/management/v1/projects/proj_none", 404);
    expect(body).toMatchObject({ key: "not_found", resource_type: "project", resource_id: "proj_none" });
  });
});
