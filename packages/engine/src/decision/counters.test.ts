import { describe, expect, test } from "vitest";
import { aLine, amountOff, anEntry, aRule, itemsIncluded, percentOff } from "../discounts/discounts.fixtures.js";
import type { ApplicableEntry, CompiledRule, CounterName, RuleContext } from "../rules/contract.js";
import {
  aCampaign,
  aCoupon,
  aCustomer,
  aGiftCard,
  aLoyaltyCard,
  aReward,
  aTier,
  decided,
  discounts,
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
        units: [{ index: 0, product_id: "a", sku_id: null, units: 3 }],
        counters: [{ name: "redemption.count", period: "daily" }],
      },
    ]);
  });
});

describe("budgets of units over all redemptions", () => {
  const budget = (more = {}) => ({
    scope: "campaign" as const,
    per_customer: false,
    each_product: false,
    limit: 5,
    formula: null,
    ...more,
  });
  const campaign = aCampaign();
  const items = [aLine("a", 100, 4), aLine("b", 100, 4)];
  const byQuantity = amountOff(10, { effect: "APPLY_TO_ITEMS_BY_QUANTITY" });
  const both = (more: Partial<ApplicableEntry>) =>
    itemsIncluded(anEntry("pc", { object: "products_collection", matches: () => true, ...more }));

  test.each`
    name                                  | entry                                                                | used                                                 | taken
    ${"nothing used yet"}                 | ${{ budgets: [budget()] }}                                           | ${[]}                                                | ${50}
    ${"two units left"}                   | ${{ budgets: [budget()] }}                                           | ${[["campaign/all/products_collection/pc", 3]]}      | ${20}
    ${"more used than there is"}          | ${{ budgets: [budget()] }}                                           | ${[["campaign/all/products_collection/pc", 9]]}      | ${0}
    ${"counted per customer"}             | ${{ budgets: [budget({ per_customer: true })] }}                     | ${[["campaign/customer/products_collection/pc", 4]]} | ${10}
    ${"each product for itself"}          | ${{ budgets: [budget({ each_product: true })] }}                     | ${[["campaign/all/product/b", 4]]}                   | ${50}
    ${"two budgets, the smaller decides"} | ${{ budgets: [budget(), budget({ each_product: true, limit: 2 })] }} | ${[]}                                                | ${40}
  `("$name: $taken", ({ entry, used, taken }) => {
    const rules = [aRule({ applicable_to: both(entry) })];
    const coupon = aCoupon(byQuantity, { campaign, rules, units_discounted: new Map(used) });
    expect(discounts(decided([coupon], { items }))).toEqual([taken]);
  });

  test("a code sees what another code of the campaign took in the same request, a tier only itself", () => {
    const rules = [aRule({ applicable_to: both({ budgets: [budget()] }) })];
    const coupon = () => aCoupon(byQuantity, { campaign, rules });
    expect(discounts(decided([coupon(), coupon()], { items }))).toEqual([50, 0]);
    const of_tier = [aRule({ applicable_to: both({ budgets: [budget({ scope: "promotion_tier" })] }) })];
    const tier = () => aTier(byQuantity, { campaign, rules: of_tier });
    expect(discounts(decided([tier(), tier()], { items }))).toEqual([50, 50]);
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
