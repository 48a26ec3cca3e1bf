import { describe, expect, test } from "vitest";
import { aRule, idsOf, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import { startService } from "../harness/service.js";
import { an_order, aShop, aStockedShop } from "./shop.fixtures.js";

const service = await startService();
const empty_list = { data: [], total: 0, data_ref: "data", object: "list" };

describe("one tier (redemption.md §15)", () => {
  test("is validated with its campaign, and what it takes off", async () => {
    const shop = await aShop(service);
    const tier = { name: "Hundred", banner: "One off!", hierarchy: 3, metadata: { shelf: "A" } };
    const { campaign_id, ids } = await tiersOf(shop.api, [tier]);
    const path = `/v1/promotions/tiers/${ids[0]}/validation`;
    const { body } = await shop.api.post(path, { order: an_order, customer: { source_id: "ann" } }, 200);
    expect(body).toMatchObject({
      valid: true,
      id: ids[0],
      name: "Hundred",
      banner: "One off!",
      discount: { type: "AMOUNT", amount_off: 100 },
      campaign: { id: campaign_id },
      hierarchy: expect.any(Number),
      discount_amount: 100,
      applied_discount_amount: 100,
      order: { total_amount: 9_900 },
      applicable_to: empty_list,
      inapplicable_to: empty_list,
      tracking_id: expect.stringMatching(/^track_/),
      metadata: { shelf: "A" },
      object: "promotion_tier",
    });
    await shop.api.post(`/v1/promotions/tiers/${ids[0]}/disable`, undefined, 200);
    expect((await shop.api.post(path, { order: an_order }, 200)).body).toMatchObject({
      valid: false,
      id: ids[0],
      reason: "Inactive Promotion",
      error: { key: "promotion_inactive" },
    });
  });

  test("is redeemed, and answered as a redemption", async () => {
    const shop = await aShop(service);
    const [id] = (await tiersOf(shop.api, [{}])).ids;
    const { body } = await shop.api.post(`/v1/promotions/tiers/${id}/redemption`, { order: an_order }, 200);
    expect(body).toMatchObject({ object: "redemption", result: "SUCCESS", promotion_tier: { id } });
  });
});

describe("all tiers that are valid for a cart", () => {
  const path = "/v1/promotions/validation";

  test("come with who asked; where there is none, it is not valid", async () => {
    const shop = await aShop(service);
    const large = await aRule(shop.api, "order.amount", { $more_than: [20_000] });
    const { ids } = await tiersOf(shop.api, [{}, { active: false }, { validation_rules: [large] }, {}]);
    const sent = { order: an_order, customer: { source_id: "ann" } };
    const { body } = await shop.api.post(path, sent, 200);
    expect(body).toMatchObject({ valid: true, tracking_id: expect.stringMatching(/^track_/) });
    expect(new Set(idsOf(body.promotions))).toEqual(new Set([ids[0], ids[3]]));
    // A text in the shape of this list alone.
    for (const tier of body.promotions) expect(tier).toMatchObject({ valid: "true", object: "promotion_tier" });
    const none = await aShop(service);
    expect((await none.api.post(path, sent, 200)).body).toMatchObject({ valid: false, promotions: [] });
  });

  test("by rules of customers alone, or of one campaign, where the query says so", async () => {
    const shop = await aShop(service);
    const large = await aRule(shop.api, "order.amount", { $more_than: [20_000] });
    const one = await tiersOf(shop.api, [{ validation_rules: [large] }]);
    const two = await tiersOf(shop.api, [{}]);
    const asked = async (query: string) =>
      idsOf((await shop.api.post(`${path}${query}`, { order: an_order }, 200)).body.promotions);
    expect(new Set(await asked("?audienceRulesOnly=true"))).toEqual(new Set([...one.ids, ...two.ids]));
    const of_campaign = `?filters[promotion_id][conditions][$is]=${two.campaign_id}`;
    expect(await asked(of_campaign)).toEqual(two.ids);
    expect(await asked(of_campaign.replace(two.campaign_id, one.campaign_id))).toEqual([]);
  });
});

test("stacking rules play no part: neither limits nor what is said of no effect", async () => {
  const limits = { redeemables_limit: 1, applicable_redeemables_limit: 1, redeemables_no_effect_rule: "SKIP" };
  const shop = await aStockedShop(service, limits);
  const { ids } = await tiersOf(shop.api, [{}, {}, {}]);
  const { promotions } = (await shop.api.post("/v1/promotions/validation", { order: an_order }, 200)).body;
  expect(new Set(idsOf(promotions))).toEqual(new Set(ids));
  const nothing = { order: { amount: 0 } };
  expect((await shop.api.post("/v1/vouchers/A/validate", nothing, 200)).body.valid).toBe(true);
  expect((await shop.api.post("/v1/vouchers/A/redemption", nothing, 200)).body.result).toBe("SUCCESS");
});
