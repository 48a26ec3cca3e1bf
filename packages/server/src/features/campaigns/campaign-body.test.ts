import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";

const { api } = await startService();

const ten_off = { type: "AMOUNT", amount_off: 1000 };

describe("a campaign body", () => {
  test.each([
    [{}, "invalid_campaign", /campaign_type/],
    [{ name: 7 }, "invalid_payload", /\.name must be string/],
    [{ name: "" }, "invalid_payload", /\.name/],
    [{ name: "x".repeat(9000) }, "invalid_payload", /\.name/],
    [{ campaign_type: "GIVEAWAYS" }, "invalid_payload", /\.campaign_type/],
    [{ campaign_type: "DISCOUNT_COUPONS" }, "invalid_campaign", /discount/],
    [{ campaign_type: "DISCOUNT_COUPONS", voucher: { gift: { amount: 1 } } }, "invalid_campaign", /GIFT_VOUCHER/],
    [{ campaign_type: "GIFT_VOUCHERS", voucher: { type: "GIFT_VOUCHER" } }, "invalid_campaign", /gift\.amount/],
    [{ campaign_type: "REFERRAL_PROGRAM", voucher: {} }, "invalid_campaign", /'discount' is required/],
    [{ voucher: { gift: { amount: 1 } }, referral_program: {} }, "invalid_campaign", /'referral_program'/],
    [{ campaign_type: "PROMOTION", voucher: { discount: ten_off } }, "invalid_campaign", /'voucher'/],
    [{ promotion: {}, voucher: {} }, "invalid_campaign", /'voucher'/],
    [
      { campaign_type: "GIFT_VOUCHERS", voucher: { gift: { amount: 1 } }, promotion: {} },
      "invalid_campaign",
      /'promotion'/,
    ],
    [
      { voucher: { loyalty_card: { points: 1 } }, validation_rules: ["val_1"] },
      "invalid_campaign",
      /'validation_rules'/,
    ],
    [{ voucher: { loyalty_card: {} } }, "invalid_campaign", /loyalty_card\.points/],
    [{ voucher: { discount: { type: "AMOUNT" } } }, "invalid_payload", /\.voucher\.discount\.amount_off/],
    [{ voucher: { discount: ten_off, redemption: { quantity: 0 } } }, "invalid_campaign", /quantity/],
    [{ voucher: { discount: ten_off }, vouchers_count: -1 }, "invalid_payload", /\.vouchers_count/],
    [{ voucher: { discount: ten_off }, vouchers_count: 1.5 }, "invalid_payload", /\.vouchers_count/],
    [{ voucher: { discount: ten_off }, vouchers_count: 1_000_001 }, "invalid_payload", /\.vouchers_count/],
    [
      { voucher: { discount: ten_off, code_config: { charset: "AB", pattern: "S-##" } }, vouchers_count: 5 },
      "invalid_code_config",
      /only 4/,
    ],
    [
      { voucher: { discount: ten_off, code_config: { pattern: "ONE" } }, vouchers_count: 2 },
      "invalid_code_config",
      /only 1/,
    ],
    [{ voucher: { discount: ten_off }, activity_duration_after_publishing: "soon" }, "invalid_payload", /duration/],
    [
      { voucher: { discount: ten_off }, validity_timeframe: { duration: "PT1H", interval: "P1D" } },
      "invalid_campaign",
      /start_date/,
    ],
    [
      { promotion: { tiers: [{ name: "t", action: { discount: { type: "AMOUNT" } } }] } },
      "invalid_payload",
      /\.promotion\.tiers\[0\]\.action\.discount\.amount_off/,
    ],
    [{ promotion: { tiers: [{ name: "t" }] } }, "invalid_payload", /tiers\[0\] should have required property 'action'/],
  ])("%j is refused: %s", async (sent, key, details) => {
    const { body } = await api.post("/v1/campaigns", { name: "Refused", ...sent }, 400);
    expect(body).toMatchObject({ code: 400, key });
    expect(body.details).toMatch(details);
    await api.get("/v1/campaigns/Refused", 404);
  });
});

describe("a promotion", () => {
  test("lists its tiers in the order sent, ranked 1, 2, … unless they say otherwise", async () => {
    const tier = (name: string, more = {}) => ({ name, action: { discount: ten_off }, ...more });
    const tiers = [
      tier("a", { banner: "Save", category: "T" }),
      tier("b", { active: false, validity_day_of_week: [0, 6] }),
      tier("c", { hierarchy: 9, metadata: { x: 1 } }),
    ];
    const { body } = await api.post(
      "/v1/campaigns",
      { name: "Promo", campaign_type: "PROMOTION", promotion: { tiers } },
      200,
    );
    expect(body).toMatchObject({ type: "STATIC", creation_status: "DONE" });
    expect(body).not.toHaveProperty("vouchers_count");
    expect(body).not.toHaveProperty("voucher");
    expect(body.promotion).toMatchObject({ object: "list", data_ref: "tiers", total: 3, has_more: false });
    const [a, b, c] = body.promotion.tiers;
    expect(a).toMatchObject({
      name: "a",
      banner: "Save",
      hierarchy: 1,
      active: true,
      promotion_id: body.id,
      object: "promotion_tier",
    });
    expect(a.categories).toMatchObject([{ name: "T" }]);
    expect(a.campaign).toEqual({ id: body.id, active: true, object: "campaign" });
    expect(a.summary).toEqual({
      redemptions: { total_redeemed: 0 },
      orders: { total_amount: 0, total_discount_amount: 0 },
    });
    expect(b).toMatchObject({ hierarchy: 2, active: false, validity_day_of_week: [0, 6] });
    expect(c).toMatchObject({ hierarchy: 9, metadata: { x: 1 } });
    expect((await api.get("/v1/campaigns/Promo", 200)).body).toEqual(body);
    const sent = [tier("first", { hierarchy: 3 }), tier("second", { hierarchy: 1 }), tier("third", { hierarchy: 2 })];
    const ranked = (await api.post("/v1/campaigns", { name: "Ranked", promotion: { tiers: sent } }, 200)).body;
    const namesIn = ({ promotion }: typeof body) => promotion.tiers.map(({ name }: { name: string }) => name);
    expect(namesIn(ranked)).toEqual(["first", "second", "third"]);
    expect(namesIn((await api.get("/v1/campaigns/Ranked", 200)).body)).toEqual(["second", "third", "first"]);
    const refused = await api.post("/v1/campaigns/Promo/vouchers", {}, 400);
    expect(refused.body.key).toBe("invalid_campaign");
    expect((await api.post("/v1/vouchers", { campaign: "Promo", discount: ten_off }, 400)).body.key).toBe(
      "invalid_campaign",
    );
  });

  test.each([[{}], [{ promotion: null }], [{ promotion: {} }], [{ promotion: { tiers: [] } }]])(
    "may begin without tiers: %j",
    async (sent) => {
      const { body } = await api.post(
        "/v1/campaigns",
        { name: `empty ${JSON.stringify(sent)}`, campaign_type: "PROMOTION", ...sent },
        200,
      );
      expect(body.promotion.tiers).toEqual([]);
    },
  );
});
