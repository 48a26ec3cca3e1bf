import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { type Fields, off, tiersOf } from "../promotions/promotion.fixtures.js";

const { anotherProject, api, management } = await startService();
const order = { amount: 10_000 };

describe("stacking rules play no part in the older calls", () => {
  test("which neither skip what has no effect nor hide why something fails", async () => {
    const project = await anotherProject();
    const rules = { redeemables_no_effect_rule: "SKIP", redeemables_application_mode: "PARTIAL" };
    await management.post(`/management/v1/projects/${project.id}/stacking-rules`, rules, 200);
    const { ids } = await tiersOf(project.api, [{}, { expiration_date: "2026-03-01T00:00:00Z" }]);
    await project.api.post("/v1/vouchers/NOTHING", { discount: off(100).discount }, 200);
    await project.api.post("/v1/vouchers/GONE", { discount: off(100).discount, active: false }, 200);
    const nothing = { order: { amount: 0 } };
    for (const path of ["vouchers/NOTHING", `promotions/tiers/${ids[0]}`]) {
      const validation = path.startsWith("vouchers") ? "validate" : "validation";
      expect((await project.api.post(`/v1/${path}/${validation}`, nothing, 200)).body.valid).toBe(true);
      expect((await project.api.post(`/v1/${path}/redemption`, nothing, 200)).body.result).toBe("SUCCESS");
    }
    const failed = (path: string) => project.api.post(`/v1/${path}/redemption`, nothing, 400);
    expect((await failed("vouchers/GONE")).body.key).toBe("voucher_disabled");
    expect((await failed(`promotions/tiers/${ids[1]}`)).body.key).toBe("promotion_not_active_now");
  });
});

describe("POST /v1/promotions/tiers/{id}/redemption", () => {
  const redeem = (id: string | undefined, sent: Fields, status: number, query = "") =>
    api.post(`/v1/promotions/tiers/${id}/redemption${query}`, sent, status);

  test("answers the redemption itself, and counts the use", async () => {
    const { campaign_id, ids } = await tiersOf(api, [{}]);
    const sent = { order, customer: { source_id: "bob" }, metadata: { till: 3 } };
    const { body } = await redeem(ids[0], sent, 200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^r_/),
      object: "redemption",
      result: "SUCCESS",
      status: "SUCCEEDED",
      redemption: null,
      metadata: { till: 3 },
      customer: { source_id: "bob" },
      order: { total_amount: 9900, status: "PAID" },
      related_object_type: "promotion_tier",
      related_object_id: ids[0],
      promotion_tier: { id: ids[0], campaign: { id: campaign_id } },
      voucher: null,
    });
    expect((await api.get(`/v1/redemptions/${body.id}`, 200)).body).toEqual(body);
    const { summary } = (await api.get(`/v1/promotions/tiers/${ids[0]}`, 200)).body;
    expect(summary).toMatchObject({ redemptions: { total_redeemed: 1 }, orders: { total_discount_amount: 100 } });
    expect(body.promotion_tier.summary).toEqual(summary);
    expect((await redeem(ids[0], sent, 200)).body.promotion_tier.summary.redemptions.total_redeemed).toBe(2);
  });

  test("knows the customer by the token of an earlier answer, in the body or the query", async () => {
    const { ids } = await tiersOf(api, [{}]);
    const { tracking_id } = (
      await api.post(`/v1/promotions/tiers/${ids[0]}/validation`, { customer: { source_id: "tracked" } }, 200)
    ).body;
    expect((await redeem(ids[0], { order, tracking_id }, 200)).body.customer).toMatchObject({ source_id: "tracked" });
    const { body } = await redeem(ids[0], { order }, 200, `?tracking_id=${tracking_id}`);
    expect(body).toMatchObject({ tracking_id, customer: { source_id: "tracked" } });
  });

  test("is refused with the error and its record, and nothing else is written", async () => {
    const { ids } = await tiersOf(api, [{}]);
    await api.post(`/v1/promotions/tiers/${ids[0]}/disable`, undefined, 200);
    const { body } = await redeem(ids[0], { order, customer: { source_id: "nobody-yet" } }, 400);
    expect(body).toMatchObject({
      key: "promotion_inactive",
      details: `Promotion Tier with id: ${ids[0]} is disabled.`,
      resource_id: expect.stringMatching(/^rf_/),
      resource_type: "redemption",
    });
    expect((await api.get(`/v1/redemptions/${body.resource_id}`, 200)).body).toMatchObject({ status: "FAILED" });
    await api.get("/v1/customers/nobody-yet", 404);
  });

  test("of an unknown tier names it", async () => {
    const { body } = await redeem("promo_none", { order }, 404);
    expect(body).toMatchObject({ key: "not_found", resource_type: "promotion_tier", resource_id: "promo_none" });
  });
});
