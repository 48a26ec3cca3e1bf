import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { shopsOf } from "./qualification.fixtures.js";

const aShop = shopsOf(await startService());

describe("redemption.md §13.3, the answer", () => {
  test("the worked example: best deal, least deal, newest first", async () => {
    const shop = await aShop();
    const discounts = [{ amount_off: 4200 }, { type: "PERCENT", percent_off: 6 }, { amount_off: 9000 }];
    const [a, b, c] = [] as string[];
    const ids: string[] = [a, b, c] as never;
    for (const [i, discount] of discounts.entries()) ids[i] = (await shop.tiers([discount]))[0] as string;
    const ask = (sorting_rule: string) => shop.found({ order: { amount: 52_000 }, options: { sorting_rule } });
    expect(await ask("BEST_DEAL")).toEqual([ids[2], ids[0], ids[1]]);
    expect(await ask("LEAST_DEAL")).toEqual([ids[1], ids[0], ids[2]]);
    expect(await ask("DEFAULT")).toEqual([ids[2], ids[1], ids[0]]);
    const page = await shop.qualify({ order: { amount: 52_000 }, options: { sorting_rule: "BEST_DEAL", limit: 2 } });
    expect(page).toMatchObject({ total: 2, has_more: true, more_starting_after: page.data[1]?.created_at });
  });

  test("says of each what it would do, and of the cart only what it is", async () => {
    const shop = await aShop();
    const code = await shop.code({ amount_off: 300 });
    const { body } = await shop.api.post(
      "/v1/qualifications",
      { customer: { source_id: "ann" }, order: { items: [{ product_id: "mug", quantity: 2, price: 500 }] } },
      200,
    );
    expect(body.redeemables).toMatchObject({
      object: "list",
      data_ref: "data",
      total: 1,
      has_more: false,
      data: [
        {
          id: code,
          object: "voucher",
          result: { discount: { type: "AMOUNT", amount_off: 300 } },
          order: { amount: 1000, total_discount_amount: 300, total_amount: 700 },
          applicable_to: { data: [], total: 0 },
          inapplicable_to: { data: [], total: 0 },
        },
      ],
    });
    expect(body.redeemables).not.toHaveProperty("more_starting_after");
    expect(body.redeemables.data[0]).not.toHaveProperty("metadata");
    expect(body.order).toMatchObject({
      customer_id: null,
      referrer_id: null,
      object: "order",
      items: [{ product_id: "mug" }],
    });
    expect(body.order).not.toHaveProperty("total_amount");
    expect(body.tracking_id).toMatch(/^track_/);
    expect(body.stacking_rules).toMatchObject({ redeemables_limit: 30 });
  });

  test("expand shows names and metadata, categories, and the rules with what was left out of them", async () => {
    const shop = await aShop();
    const category_id = (await shop.api.post("/v1/categories", { name: "Shoes", hierarchy: 1 }, 200)).body.id;
    const rule = await shop.rule({ "1": shop.leaf("order.amount", { $more_than: [1] }), logic: "1" });
    const [tier] = await shop.tiers([{ amount_off: 5 }], rule, { category_id, banner: "Now!", metadata: { a: 1 } });
    const ask = async (...expand: string[]) => (await shop.qualify({ options: { expand } })).data[0];
    expect(await ask("redeemable")).toMatchObject({
      name: "tier 1",
      banner: "Now!",
      metadata: { a: 1 },
      campaign_id: expect.stringMatching(/^camp_/),
      campaign_name: expect.any(String),
    });
    expect(await ask("category")).toMatchObject({ categories: [{ id: category_id, name: "Shoes" }] });
    expect(await ask("validation_rules")).toMatchObject({
      id: tier,
      validation_rule_id: rule,
      validation_rules_assignments: {
        total: 1,
        data: [{ rule_id: rule, validation_status: "PARTIALLY_VALID", validation_omitted_rules: ["1"] }],
      },
    });
  });

  test("a stack shows its category, its own before its campaign's, or none, beside those of its tiers", async () => {
    const shop = await aShop();
    const category_id = (await shop.api.post("/v1/categories", { name: "Bundles", hierarchy: 1 }, 200)).body.id;
    const { id, tiers } = await shop.stack([{ amount_off: 5 }]);
    const ask = async () =>
      (await shop.qualify({ scenario: "PROMOTION_STACKS", options: { expand: ["category"] } })).data[0];
    expect(await ask()).toMatchObject({ id, categories: [], redeemables: [{ id: tiers[0], categories: [] }] });
    const { campaign_id } = (await shop.api.get(`/v1/promotions/tiers/${tiers[0]}`, 200)).body;
    const other = (await shop.api.post("/v1/categories", { name: "Winter", hierarchy: 2 }, 200)).body.id;
    await shop.edit(`/v1/campaigns/${campaign_id}`, { category_id: other });
    expect(await ask()).toMatchObject({ id, categories: [{ id: other }] });
    await shop.edit(`/v1/promotions/${campaign_id}/stacks/${id}`, { category_id });
    const shown = [{ id: category_id, name: "Bundles" }];
    expect(await ask()).toMatchObject({ id, categories: shown, redeemables: [{ id: tiers[0], categories: shown }] });
  });

  test("a gift card gives what it holds and the cart needs; a session shows what is locked of it", async () => {
    const shop = await aShop();
    const code = await shop.code({}, { type: "GIFT_VOUCHER", discount: undefined, gift: { amount: 5000 } });
    const ask = async (more: object) => (await shop.qualify({ order: { amount: 2000 }, ...more })).data[0]?.result;
    expect(await ask({})).toEqual({ gift: { balance: 5000, credits: 2000 } });
    const session = { type: "LOCK" };
    expect(await ask({ session })).toEqual({ gift: { balance: 5000, credits: 2000, locked_credits: 0 } });
    const redeemables = [{ object: "voucher", id: code, gift: { credits: 700 } }];
    await shop.api.post("/v1/validations", { redeemables, order: { amount: 2000 }, session }, 200);
    expect(await ask({ session })).toEqual({ gift: { balance: 5000, credits: 2000, locked_credits: 700 } });
  });

  test("a bulk campaign appears as itself, with what a code of it would do", async () => {
    const shop = await aShop();
    const campaign = await shop.campaign({ metadata: { season: "winter" } });
    const { data } = await shop.qualify({ order: { amount: 1000 }, options: { expand: ["redeemable"] } });
    expect(data).toMatchObject([
      { id: campaign, object: "campaign", name: expect.any(String), metadata: { season: "winter" } },
    ]);
    expect(data[0]?.order).toMatchObject({ total_discount_amount: 100 });
  });
});

describe("what an edit changes is seen by the next request", () => {
  test("campaign disabled, tier deleted, rule changed, code made, disabled, used up, given, campaign binned", async () => {
    const shop = await aShop();
    const rule = await shop.rule({ "1": shop.leaf("order.initial_amount", { $more_than: [10] }), logic: "1" });
    const [tier] = await shop.tiers([{ amount_off: 5 }], rule);
    const ask = () => shop.found({ order: { amount: 1000 } });
    expect(await ask()).toEqual([tier]);
    const rules = { "1": shop.leaf("order.initial_amount", { $more_than: [5000] }), logic: "1" };
    await shop.api.put(`/v1/validation-rules/${rule}`, { rules }, 200);
    expect(await ask()).toEqual([]);
    await shop.api.put(`/v1/validation-rules/${rule}`, { rules: { logic: "" } }, 200);
    expect(await ask()).toEqual([tier]);
    const code = await shop.code({}, { redemption: { quantity: 1 } });
    expect(await ask()).toEqual([code, tier]);
    await shop.api.post(`/v1/vouchers/${code}/disable`, {}, 200);
    expect(await ask()).toEqual([tier]);
    await shop.api.post(`/v1/vouchers/${code}/enable`, {}, 200);
    await shop.redeem(code);
    expect(await ask()).toEqual([tier]);
    const campaign = await shop.campaign();
    expect(await ask()).toEqual([campaign, tier]);
    await shop.api.post(`/v1/campaigns/${campaign}/disable`, {}, 200);
    expect(await ask()).toEqual([tier]);
    await shop.api.post(`/v1/campaigns/${campaign}/enable`, {}, 200);
    await shop.api.delete(`/v1/campaigns/${campaign}`, 202);
    expect(await ask()).toEqual([tier]);
    await shop.api.delete(`/v1/promotions/tiers/${tier}`, 204);
    expect(await ask()).toEqual([]);
  });
});
