import { describe, expect, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { someoneIn } from "../people/people.fixtures.js";

const service = await startService();
const { url, project, anotherProject } = service;
const { browser: admin } = await someoneIn(service, project.id, "ADMIN");
const aKey = async (fields: object = {}) =>
  (await admin.post("/dashboard/v1/keys", { name: "Shop", kind: "server", ...fields }, 200)).body;
const calling = ({ id, token }: { id: string; token: string }) =>
  createClient(url, { "x-app-id": id, "x-app-token": token });

describe("a key that an administrator makes", () => {
  test("works at once, in its role, and shows its secret this once", async () => {
    const key = await aKey({ role: "VIEWER" });
    await calling(key).get("/v1/vouchers", 200);
    await calling(key).post("/v1/customers", {}, 403);
    const { body } = await admin.get("/dashboard/v1/keys", 200);
    const { token, ...shown } = key;
    expect(body.keys).toContainEqual(shown);
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test("for an integration opens what is for integrations alone", async () => {
    await project.api.post("/v1/campaigns", { name: "Codes", voucher: { gift: { amount: 100 } } }, 200);
    await project.api.post("/v1/campaigns/Codes/vouchers/CODE", {}, 200);
    const path = "/v1/publications/create?campaign[name]=Codes&customer[source_id]=ann";
    const [plain, integration] = [await aKey(), await aKey({ is_integration: true })];
    expect([plain.is_integration, integration.is_integration]).toEqual([false, true]);
    expect((await calling(plain).get(path, 403)).body.key).toBe("integration_api_key_required");
    expect((await calling(integration).get(path, 200)).body.voucher.code).toBe("CODE");
    const client = { name: "Shop", kind: "client", is_integration: true };
    expect((await admin.post("/dashboard/v1/keys", client, 400)).body.details).toBe(
      "Property .is_integration is of server-side keys alone",
    );
  });

  test("of the client side opens the client side", async () => {
    const { id, token } = await aKey({ kind: "client" });
    await calling({ id, token }).get("/v1/vouchers", 401);
    const origin = { origin: "https://shop.example", "x-client-application-id": id, "x-client-token": token };
    await createClient(url, origin).get("/client/v1/promotions/tiers", 200);
  });

  test("is given another role and name, and blocked, and each counts with the next request", async () => {
    const key = await aKey();
    const at = `/dashboard/v1/keys/${key.id}`;
    expect((await admin.put(at, { role: "VIEWER", name: "Till" }, 200)).body).toMatchObject({
      role: "VIEWER",
      name: "Till",
    });
    await calling(key).post("/v1/customers", {}, 403);
    await admin.put(at, { blocked: true }, 200);
    expect((await calling(key).get("/v1/vouchers", 403)).body).toMatchObject({ details: "API key is blocked" });
    await admin.put(at, { blocked: false, role: "ADMIN" }, 200);
    await calling(key).post("/v1/customers", {}, 200);
    for (const fields of [{ role: "KING" }, { name: "" }, { blocked: "no" }]) await admin.put(at, fields, 400);
  });

  test("is given a new secret: the former one stops", async () => {
    const key = await aKey();
    const { body } = await admin.send("POST", `/dashboard/v1/keys/${key.id}/token`, { status: 200 });
    expect(body.token).not.toBe(key.token);
    await calling(key).get("/v1/vouchers", 401);
    await calling(body).get("/v1/vouchers", 200);
  });

  test("is deleted, and stops", async () => {
    const key = await aKey();
    await admin.delete(`/dashboard/v1/keys/${key.id}`, 204);
    await calling(key).get("/v1/vouchers", 401);
    expect((await admin.delete(`/dashboard/v1/keys/${key.id}`, 404)).body).toMatchObject({ resource_type: "api_key" });
  });

  test("is its project's alone", async () => {
    const other = await anotherProject();
    const at = `/dashboard/v1/keys/${other.app_id}`;
    await admin.put(at, { blocked: true }, 404);
    await admin.send("POST", `${at}/token`, { status: 404 });
    await admin.delete(at, 404);
    await other.api.get("/v1/vouchers", 200);
  });
});

test.each(["USER", "VIEWER", "MERCHANT"] as const)("a %s neither sees keys nor makes them", async (role) => {
  const { browser } = await someoneIn(service, project.id, role);
  await browser.get("/dashboard/v1/keys", 403);
  await browser.post("/dashboard/v1/keys", { name: "mine", kind: "server" }, 403);
});
