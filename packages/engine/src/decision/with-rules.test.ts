import { describe, expect, test } from "vitest";
import { amountOff, percentOff } from "../discounts/discounts.fixtures.js";
import type { CompiledRule } from "../rules/contract.js";
import { compileRule } from "../rules/index.js";
import { decide } from "./decide.js";
import { aCampaign, aCoupon, aCustomer, aGiftCard, decided, NOON, someFacts, words } from "./decision.fixtures.js";

/** A rule of one leaf, compiled as the catalogue does it. */
const rule = (name: string, conditions: Record<string, unknown[]>): CompiledRule => {
  const compiled = compileRule({ id: "val_1", rules: { "1": { name, conditions }, logic: "1" } });
  if ("fault" in compiled) throw new Error(compiled.fault.details);
  return compiled.rule;
};

const PARTIAL = { redeemables_application_mode: "PARTIAL" as const };

describe("rules see the order at their redeemable's turn", () => {
  const fifteen = () => aCoupon(percentOff(15));
  const above = (name: string) => aCoupon(amountOff(100), { rules: [rule(name, { $more_than: [35000] })] });
  test.each`
    name                      | before                                    | after
    ${"order.amount"}         | ${["APPLICABLE", "order_rules_violated"]} | ${["APPLICABLE", "APPLICABLE"]}
    ${"order.initial_amount"} | ${["APPLICABLE", "APPLICABLE"]}           | ${["APPLICABLE", "APPLICABLE"]}
  `("$name of a cart of 40000 next to 15 %", ({ name, before, after }) => {
    expect(words(decided([fifteen(), above(name)], { amount: 40000 }))).toEqual(before);
    expect(words(decided([above(name), fifteen()], { amount: 40000 }))).toEqual(after);
  });

  test.each`
    least   | outcome
    ${1700} | ${"APPLICABLE"}
    ${1701} | ${"order_rules_violated"}
  `("order.total_amount of 2000 less 300 is at least $least: $outcome", ({ least, outcome }) => {
    const coupon = aCoupon(amountOff(300), { rules: [rule("order.total_amount", { $more_than_or_equal: [least] })] });
    expect(words(decided([coupon, aGiftCard(500)], { amount: 2000 }, {}, PARTIAL))).toEqual([outcome, "APPLICABLE"]);
  });
});

describe("limits compare what would hold after this redemption", () => {
  test.each`
    redeemed | outcome
    ${2}     | ${"APPLICABLE"}
    ${3}     | ${"redemption_rules_violated"}
  `("at most 3 in the campaign, $redeemed so far: $outcome", ({ redeemed, outcome }) => {
    const rules = [rule("campaign.redemptions.count", { $less_than_or_equal: [3] })];
    const counters = new Map([["campaign.redemptions.count", redeemed]]);
    const coupon = aCoupon(amountOff(100), { campaign: aCampaign(), rules, counters });
    expect(words(decided([coupon], { amount: 1000 }))).toEqual([outcome]);
  });

  test("the second code of the campaign in one request sees the first", () => {
    const rules = [rule("campaign.orders.amount_discounted", { $less_than_or_equal: [250] })];
    const coupon = () => aCoupon(amountOff(100), { campaign: aCampaign(), rules });
    expect(words(decided([coupon(), coupon(), coupon()], { amount: 1000 }, {}, PARTIAL))).toEqual([
      "APPLICABLE",
      "APPLICABLE",
      "redemption_rules_violated",
    ]);
  });
});

test("a customer rule without a customer asks for one", () => {
  const rules = [rule("customer.segment", { $is: ["seg_1"] })];
  const coupon = aCoupon(amountOff(100), { rules });
  expect(words(decided([coupon], { amount: 1000 }))).toEqual(["missing_customer"]);
  expect(words(decided([coupon], { amount: 1000 }, { customer: aCustomer(null) }))).toEqual([
    "customer_rules_violated",
  ]);
});

test("an explanation shows what a leaf saw, wanted and lacked", () => {
  const coupon = aCoupon(amountOff(100), { rules: [rule("order.amount", { $more_than_or_equal: [5000] })] });
  const [outcome] = decide(someFacts([coupon], { amount: 4200 }), NOON, { explain: true }).outcomes;
  expect(outcome?.explanation?.checks.at(-1)).toMatchObject({
    check: "rules",
    holds: false,
    node: {
      nodes: [{ path: "1", name: "order.amount", saw: 4200, wanted: { $more_than_or_equal: [5000] }, lacking: 800 }],
    },
  });
});
