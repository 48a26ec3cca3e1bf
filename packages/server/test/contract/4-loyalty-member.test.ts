import { describe, expect, test } from "vitest";
import { aName, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { startService } from "../harness/service.js";

const service = await startService();
const { api } = service;
const program = await aProgram(service, {}, 100);
const path = `/v1/loyalties/${program.id}/members`;
const newcomer = () => ({ source_id: aName("customer") });

describe("POST /v1/loyalties/{campaignId}/members", () => {
  test("the response is a voucher of type LOYALTY_CARD, held by the customer", async () => {
    const customer = newcomer();
    const { body } = await api.post(path, { customer }, 200);
    expect(body).toMatchObject({
      object: "voucher",
      type: "LOYALTY_CARD",
      campaign: program.name,
      campaign_id: program.id,
      loyalty_card: { points: 100, balance: 100, pending_points: 0, expired_points: 0, subtracted_points: 0 },
      is_referral_code: false,
      holder_id: (await api.get(`/v1/customers/${encodeURIComponent(customer.source_id)}`, 200)).body.id,
      publish: { object: "list", count: 1 },
      redemption: { object: "list", redeemed_quantity: 0, redeemed_points: 0 },
      validation_rules_assignments: { object: "list", data: [] },
      assets: { qr: { url: expect.any(String) }, barcode: { url: expect.any(String) } },
    });
    expect(body.gift ?? null).toBeNull();
  });

  test("the customer is identified with id, source_id, or both; at least one is required", async () => {
    const one = (await api.post("/v1/customers", newcomer(), 200)).body;
    const other = (await api.post("/v1/customers", newcomer(), 200)).body;
    const by_id = await api.post(path, { customer: { id: one.id } }, 200);
    expect(by_id.body.holder_id).toBe(one.id);
    const by_both = await api.post(path, { customer: { id: other.id, source_id: other.source_id } }, 200);
    expect(by_both.body.holder_id).toBe(other.id);
    await api.post(path, { customer: { name: "Nobody" } }, 400);
    await api.post(path, {}, 400);
  });

  test("voucher names an existing unassigned card; without it the next available card is assigned", async () => {
    const own = await aProgram(service);
    for (const code of ["NEXT", "NAMED"]) {
      await api.post(`/v1/campaigns/${own.id}/vouchers/${code}`, {}, 200);
      service.clock.advance({ minutes: 1 });
    }
    const codeFor = async (fields: Record<string, unknown>) =>
      (await api.post(`/v1/loyalties/${own.id}/members`, { customer: newcomer(), ...fields }, 200)).body.code;
    expect(await codeFor({ voucher: "NAMED" })).toBe("NAMED");
    expect(await codeFor({})).toBe("NEXT");
    await api.post(`/v1/loyalties/${own.id}/members`, { customer: newcomer(), voucher: "NAMED" }, 400);
  });

  test("with a source_id only one voucher can be published", async () => {
    const sent = { customer: newcomer(), source_id: aName("publication") };
    const { body } = await api.post(path, sent, 200);
    expect((await api.post(path, sent, 200)).body.id).toBe(body.id);
    await api.post(path, { ...sent, customer: newcomer() }, 400);
  });

  test("the publication's metadata is not returned here; a channel may be named", async () => {
    const { body } = await api.post(path, { customer: newcomer(), metadata: { till: 7 }, channel: "shop" }, 200);
    expect(body.metadata).toEqual({});
  });
});
