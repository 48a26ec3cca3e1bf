import { describe, expect, test } from "vitest";
import { aDiscount, aLine, amountOff, aRule, itemsIncluded, percentOff } from "../discounts/discounts.fixtures.js";
import type { UnitObject } from "../discounts/effect.js";
import type { CompiledRule, CounterName, RuleContext } from "../rules/contract.js";
import {
  aCampaign,
  aCoupon,
  aCustomer,
  aGiftCard,
  aLoyaltyCard,
  aReward,
  decided,
  words,
} from "./decision.fixtures.js";

const cart = { amount: 10000 };

/** Lets a counter grow to a limit, the redemption at hand counted in (rules.md §7). */
const atMost = (name: CounterName, limit: number, more: (context: RuleContext) => number = () => 1): CompiledRule =>
  aRule({
    needs_discount: true,
    counters: [{ name, period: "total" }],
    judge: (context) => {
      const after = context.counter({ name, period: "total" }) + more(context);
      return context.discount === null || after <= limit ? null : { key: "redemption_rules_violated" };
    },
  });

describe("two codes of one campaign in one request", () => {
  const campaign = aCampaign();
  const PARTIAL = { redeemables_application_mode: "PARTIAL" as const };
  const counters = new Map([["campaign.redemptions.count", 3]]);
  test.each`
    limit | outcome
    ${4}  | ${["APPLICABLE", "redemption_rules_violated"]}
    ${5}  | ${["APPLICABLE", "APPLICABLE"]}
  `("count as two: 3 redemptions before, at most $limit", ({ limit, outcome }) => {
    const rules = [atMost("campaign.redemptions.count", limit)];
    const coupon = () => aCoupon(amountOff(100), { campaign, rules, counters });
    expect(words(decided([coupon(), coupon()], cart, {}, PARTIAL))).toEqual(outcome);
  });

  test("share the campaign's discount budget", () => {
    const rules = [atMost("campaign.orders.amount_discounted", 250, ({ discount }) => discount ?? 0)];
    const coupon = () => aCoupon(amountOff(100), { campaign, rules });
    expect(words(decided([coupon(), coupon(), coupon()], cart, {}, PARTIAL))).toEqual([
      "APPLICABLE",
      "APPLICABLE",
      "redemption_rules_violated",
    ]);
  });

  test("do not share what is counted by code, nor with another campaign", () => {
    const by_code = [atMost("redemption.count", 1)];
    const coupon = () => aCoupon(amountOff(100), { campaign, rules: by_code });
    expect(words(decided([coupon(), coupon()], cart))).toEqual(["APPLICABLE", "APPLICABLE"]);
    const rules = [atMost("campaign.redemptions.count", 1)];
    const other = aCoupon(amountOff(100), { campaign: aCampaign({ id: "camp_2" }), rules });
    const standalone = () => aCoupon(amountOff(100), { rules });
    expect(words(decided([aCoupon(amountOff(100), { campaign }), other, standalone(), standalone()], cart))).toEqual(
      Array.from({ length: 4 }, () => "APPLICABLE"),
    );
  });

  test("credits of two gift cards add up in the campaign", () => {
    const rules = [atMost("redemption.gift.amount", 500, ({ gift_credits }) => gift_credits ?? 0)];
    const card = (credits: number) => aGiftCard(1000, credits, { campaign, rules });
    expect(words(decided([card(300), card(201)], cart, {}, PARTIAL))).toEqual([
      "APPLICABLE",
      "redemption_rules_violated",
    ]);
    expect(words(decided([card(300), card(200)], cart, {}, PARTIAL))).toEqual(["APPLICABLE", "APPLICABLE"]);
  });
});

test("the last reward in stock is given once in a request", () => {
  const card = () => aLoyaltyCard({ balance: 100, reward: aReward({ points: 10, stock: 5, redeemed: 4 }) });
  expect(words(decided([card(), card()], cart, { customer: aCustomer("cust_1") }))).toEqual([
    "APPLICABLE",
    "reward_out_of_stock",
  ]);
});

test("the last code of a campaign is given once in a request, whichever rewards it is", () => {
  const refusal = "no_voucher_suitable_for_publication" as const;
  const card = (id: string, left: number | null) =>
    aLoyaltyCard({
      balance: 100,
      reward: aReward({ id, points: 10, supply: { campaign_id: "camp_2", left, refusal } }),
    });
  const customer = aCustomer("cust_1");
  expect(words(decided([card("rew_1", 1), card("rew_2", 1)], cart, { customer }))).toEqual(["APPLICABLE", refusal]);
  expect(words(decided([card("rew_1", null), card("rew_2", null)], cart, { customer }))).toEqual([
    "APPLICABLE",
    "APPLICABLE",
  ]);
});

describe("what is to be recorded", () => {
  test("the order before discounts, the discount, the units and the counters", () => {
    const rules = [
      aRule({ applicable_to: itemsIncluded("a"), counters: [{ name: "redemption.count", period: "daily" }] }),
    ];
    const coupon = aCoupon(percentOff(10, { effect: "APPLY_TO_ITEMS" }), { rules });
    const decision = decided([aCoupon(amountOff(500)), coupon], { items: [aLine("a", 1000, 3), aLine("b", 700)] });
    expect(decision.outcomes.map((outcome) => "increments" in outcome && outcome.increments)).toMatchObject([
      { redemptions: 1, order_amount: 3700, discount_amount: 500, units: [], counters: [] },
      {
        order_amount: 3700,
        discount_amount: 300,
        units: [{ index: 0, product_id: "a", product_source_id: "a", sku_id: null, sku_source_id: null, units: 3 }],
        counters: [{ name: "redemption.count", period: "daily" }],
      },
    ]);
  });
});

describe("the units to be recorded", () => {
  const free = (unit_type: string) =>
    aCoupon(aDiscount({ type: "UNIT", unit_type, unit_off: 2, effect: "ADD_NEW_ITEMS" }));
  const shipping = { product: { id: "prod_1", source_id: "ship", price: 10 }, sku: null };
  const blue = { product: null, sku: { id: "sku_1", source_id: "blue", product_id: "prod_2", price: 10 } };
  test.each`
    name                                        | unit      | items                                                           | recorded
    ${"name a product by its source id"}        | ${"ship"} | ${[{ source_id: "ship", price: 10 }]}                           | ${[null, "ship", null, null]}
    ${"name a SKU by its source id"}            | ${"blue"} | ${[{ source_id: "blue", related_object: "sku", price: 10 }]}    | ${[null, null, null, "blue"]}
    ${"name what the catalogue knows by both"}  | ${"ship"} | ${[{ source_id: "ship", catalogue_product: shipping.product }]} | ${["prod_1", "ship", null, null]}
    ${"name a product that the discount added"} | ${"ship"} | ${[]}                                                           | ${["prod_1", "ship", null, null]}
    ${"name a SKU that the discount added"}     | ${"blue"} | ${[]}                                                           | ${["prod_2", null, "sku_1", "blue"]}
  `("$name", ({ unit, items, recorded }) => {
    const unit_objects = new Map<string, UnitObject>([
      ["ship", shipping],
      ["blue", blue],
    ]);
    const [outcome] = decided([free(unit)], { items }, { unit_objects }).outcomes;
    const [product_id, product_source_id, sku_id, sku_source_id] = recorded;
    expect(outcome?.status === "APPLICABLE" && outcome.increments.units).toEqual([
      { index: 0, product_id, product_source_id, sku_id, sku_source_id, units: 2 },
    ]);
  });
});

describe("rules that look at the discount", () => {
  const totalAtLeast = (least: number) =>
    aRule({
      needs_discount: true,
      judge: ({ discount, order }) =>
        discount === null || (order?.amount ?? 0) - discount >= least
          ? null
          : { key: "order_rules_violated", message: "Too cheap" },
    });

  test("are judged once it is known: 30 % of 2000 leaves less than 1500", () => {
    const decision = decided([aCoupon(percentOff(30), { rules: [totalAtLeast(1500)] })], { amount: 2000 });
    expect(decision.outcomes[0]).toMatchObject({
      refusal: { key: "order_rules_violated", kind: "Discount Coupon", rule_ids: ["val_1"], message: "Too cheap" },
    });
    expect(decision.order).toEqual(decision.order_before);
  });

  test("come after the credits of a gift card", () => {
    expect(words(decided([aGiftCard(100, 101, { rules: [totalAtLeast(9e9)] })], cart))).toEqual([
      "gift_amount_exceeded",
    ]);
  });

  test("all violated rules are named; the first one's key and message count", () => {
    const refusing = (id: string, key: "customer_rules_violated" | "redemption_rules_violated") =>
      aRule({ id, judge: () => ({ key }) });
    const rules = [
      refusing("val_own", "redemption_rules_violated"),
      refusing("val_campaign", "customer_rules_violated"),
    ];
    expect(decided([aCoupon(amountOff(1), { rules })], cart).outcomes[0]).toMatchObject({
      refusal: { key: "redemption_rules_violated", rule_ids: ["val_own", "val_campaign"] },
    });
  });
});
