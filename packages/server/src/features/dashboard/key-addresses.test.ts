import { describe, expect, test } from "vitest";
import { createClient } from "../../../test/harness/client.js";
import { startService } from "../../../test/harness/service.js";
import { someoneIn } from "../people/people.fixtures.js";
import { openKeyUses } from "../projects/index.js";

const service = await startService({ trusted_proxies: ["127.0.0.1"] });
const { url, project, clock, context } = service;
const { browser: admin } = await someoneIn(service, project.id, "ADMIN");

interface Key {
  id: string;
  token: string;
}
const aKey = async (fields: object = {}): Promise<Key> =>
  (await admin.post("/dashboard/v1/keys", { name: "Shop", kind: "server", ...fields }, 200)).body;
/** As the trusted proxy passes a call on. */
const from = (address: string | null, credentials: Record<string, string>) =>
  createClient(url, { ...credentials, ...(address === null ? {} : { "x-forwarded-for": address }) });
const by = ({ id, token }: Key) => ({ "x-app-id": id, "x-app-token": token });
const shown = async ({ id }: Key) =>
  (await admin.get("/dashboard/v1/keys", 200)).body.keys.find((key: Key) => key.id === id);

describe("a key with a list of addresses", () => {
  test("is refused from elsewhere, whatever it asks for", async () => {
    const key = await aKey({ allowed_addresses: ["10.0.0.0/8", "2001:db8::7"], role: "VIEWER" });
    for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "2001:db8::7"]) {
      await from(address, by(key)).get("/v1/vouchers", 200);
    }
    for (const address of ["11.0.0.1", "2001:db8::8", null]) {
      const { body } = await from(address, by(key)).post("/v1/customers", {}, 403);
      expect(body).toEqual({
        code: 403,
        key: "forbidden",
        message: "Forbidden",
        details: "IP address is not allowed",
        request_id: expect.any(String),
      });
    }
    expect((await from("10.1.2.3", by(key)).post("/v1/customers", {}, 403)).body.key).toBe(
      "missing_required_permission",
    );
  });

  test("is changed, and that counts with the next request, also of tokens that it minted", async () => {
    const key = await aKey();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const raw = "grant_type=client_credentials&scope=api";
    const asked = await from(null, by(key)).send("POST", "/v1/oauth/token", { raw, headers, status: 200 });
    const bearer = { authorization: `Bearer ${asked.body.access_token}` };
    await from("11.0.0.1", bearer).get("/v1/vouchers", 200);
    const { body } = await admin.put(
      `/dashboard/v1/keys/${key.id}`,
      { allowed_addresses: ["10.1.1.1/8", "10.0.0.0/8"] },
      200,
    );
    expect(body.allowed_addresses).toEqual(["10.0.0.0/8"]);
    await from("11.0.0.1", bearer).get("/v1/vouchers", 403);
    await from("11.0.0.1", by(key)).get("/v1/vouchers", 403);
    await from("10.0.0.1", bearer).get("/v1/vouchers", 200);
    await admin.put(`/dashboard/v1/keys/${key.id}`, { name: "Till" }, 200);
    await from("11.0.0.1", by(key)).get("/v1/vouchers", 403);
    await admin.put(`/dashboard/v1/keys/${key.id}`, { allowed_addresses: [] }, 200);
    await from("11.0.0.1", by(key)).get("/v1/vouchers", 200);
  });

  test("says nothing of addresses to who has a wrong secret", async () => {
    const key = await aKey({ allowed_addresses: ["10.0.0.1"] });
    await from("11.0.0.1", { ...by(key), "x-app-token": "wrong" }).get("/v1/vouchers", 401);
  });

  test.each([
    [{ allowed_addresses: ["shop.example"] }, ".allowed_addresses.0 must be an address"],
    [{ allowed_addresses: ["10.0.0.1", "10.0.0.0/64"] }, ".allowed_addresses.1 must be an address"],
    [{ allowed_addresses: ["10.0.0.1"], kind: "client" }, ".allowed_addresses is of server-side keys alone"],
    [{ allowed_addresses: Array.from({ length: 101 }, () => "10.0.0.1") }, ".allowed_addresses"],
  ])("is not made of %j", async (fields, details) => {
    const sent = { name: "Shop", kind: "server", ...fields };
    const { body } = await admin.post("/dashboard/v1/keys", sent, 400);
    expect(body.details).toContain(details);
  });
});

test("when a key was used last is known to the minute, whoever says it last", async () => {
  const key = await aKey();
  expect((await shown(key)).last_used_at).toBeNull();
  clock.set("2026-03-02T10:04:31.000Z");
  const [one, other] = [openKeyUses(context), openKeyUses(context)];
  one.note(project.id, key.id, clock.now());
  other.note(project.id, key.id, clock.now() - 120_000);
  one.note("proj_gone", "gone", clock.now());
  await one.flush();
  await other.flush();
  expect((await shown(key)).last_used_at).toBe("2026-03-02T10:04:00.000Z");
});
