import { describe, expect, test } from "vitest";
import { aCoupon, aGiftCard, aTier, decided, discounts, rendered, words } from "../decision/decision.fixtures.js";
import type { CompiledDiscount } from "../discounts/compile.js";
import {
  aDiscount,
  aLine,
  amountOff,
  aRule,
  fixed,
  itemsIncluded,
  percentOff,
} from "../discounts/discounts.fixtures.js";
import type { OrderInput } from "../orders/order.js";

const cart = { amount: 60000 };
const ITEMS = { effect: "APPLY_TO_ITEMS" };
const of_a = [aRule({ applicable_to: itemsIncluded("a") })];

describe("several redeemables", () => {
  test.each`
    mode                   | left
    ${"DISCOUNTED_AMOUNT"} | ${[55500, 48840, 38840]}
    ${"INITIAL_AMOUNT"}    | ${[55500, 48300, 38300]}
  `("AMOUNT, PERCENT, gift in mode $mode leave $left", ({ mode, left }) => {
    const redeemables = [aCoupon(amountOff(4500)), aCoupon(percentOff(12)), aGiftCard(10000)];
    const decision = decided(redeemables, cart, {}, { discount_calculation_mode: mode });
    let rest = 60000;
    expect(discounts(decision).map((discount) => (rest -= discount))).toEqual(left);
    expect(decision.valid).toBe(true);
  });

  test("the requested order is the order of computation", () => {
    const decision = decided([aGiftCard(10000), aCoupon(percentOff(12)), aCoupon(amountOff(4500))], cart);
    expect(discounts(decision)).toEqual([10000, 6000, 4500]);
  });

  test("running totals of a gift, a coupon and a tier", () => {
    const decision = decided([aGiftCard(5000, 1500), aCoupon(percentOff(10)), aTier(amountOff(7000))], {
      amount: 87000,
    });
    expect(discounts(decision)).toEqual([1500, 8550, 7000]);
    expect(rendered(decision)).toMatchObject({
      discount_amount: 17050,
      applied_discount_amount: 17050,
      total_amount: 69950,
    });
  });

  test("item-level discounts are not moved before order-level ones", () => {
    const redeemables = [
      aCoupon(amountOff(600)),
      aCoupon(percentOff(50, ITEMS), { rules: of_a }),
      aCoupon(percentOff(50)),
    ];
    expect(discounts(decided(redeemables, { items: [aLine("a", 1000)] }))).toEqual([600, 400, 0]);
  });
});

test.each`
  mode                   | taken
  ${"DISCOUNTED_AMOUNT"} | ${[16000, 24000]}
  ${"INITIAL_AMOUNT"}    | ${[16000, 32000]}
`("25 % then 50 % of 64000 in mode $mode take $taken", ({ mode, taken }) => {
  const decision = decided(
    [aCoupon(percentOff(25)), aCoupon(percentOff(50))],
    { amount: 64000 },
    {},
    { discount_calculation_mode: mode },
  );
  expect(discounts(decision)).toEqual(taken);
});

describe("the base in mode INITIAL_AMOUNT", () => {
  const INITIAL = { discount_calculation_mode: "INITIAL_AMOUNT" as const };
  const taken = (redeemables: CompiledDiscount[], order: OrderInput, rules = of_a) =>
    discounts(
      decided(
        redeemables.map((discount) => aCoupon(discount, { rules })),
        order,
        {},
        INITIAL,
      ),
    );
  const ORDER = { effect: "APPLY_TO_ORDER" };
  const items = [aLine("a", 1000, 4)];

  test.each`
    name                                              | redeemables                                                              | result
    ${"a percentage of items"}                        | ${[percentOff(50, ITEMS), percentOff(25, ITEMS)]}                        | ${[2000, 1000]}
    ${"a percentage is still capped by what is left"} | ${[percentOff(75, ITEMS), percentOff(75, ITEMS)]}                        | ${[3000, 1000]}
    ${"a new price of items"}                         | ${[amountOff(500, ITEMS), fixed(700, ITEMS)]}                            | ${[500, 1200]}
    ${"a new price of the order"}                     | ${[amountOff(500, ORDER), fixed(3000, ORDER)]}                           | ${[500, 1000]}
    ${"an amount has no base"}                        | ${[percentOff(50, ORDER), amountOff(500, ORDER), amountOff(500, ITEMS)]} | ${[2000, 500, 500]}
  `("$name: $result", ({ redeemables, result }) => {
    expect(taken(redeemables, { items })).toEqual(result);
  });

  test("is before the earlier discounts of a stored order, too", () => {
    expect(taken([percentOff(10)], { amount: 10000, initial_amount: 10000, discount_amount: 6000 }, [])).toEqual([
      1000,
    ]);
    const stored = [aLine("a", 1000, 4, { discount_amount: 2000, initial_amount: 4000, initial_quantity: 4 })];
    expect(taken([percentOff(10, ITEMS)], { items: stored })).toEqual([400]);
  });

  test("has no part of free units that were added before", () => {
    const unit = aDiscount({ type: "UNIT", unit_type: "a", unit_off: 4, effect: "ADD_NEW_ITEMS" });
    expect(taken([unit, percentOff(10, ITEMS), percentOff(10, ORDER)], { items })).toEqual([4000, 400, 400]);
    const added = aDiscount({ type: "UNIT", unit_type: "b", unit_off: 1, effect: "ADD_NEW_ITEMS" });
    const of_b = [aRule({ applicable_to: itemsIncluded("b") })];
    const decision = decided(
      [aCoupon(added), aCoupon(percentOff(10, ITEMS), { rules: of_b })],
      { items },
      { unit_objects: new Map([["b", { product: { id: "b", price: 500 }, sku: null }]]) },
      INITIAL,
    );
    expect(discounts(decision)).toEqual([500, 0]);
  });

  test("is chosen for one category and not for another", () => {
    const category = (id: string) => ({ category: { id, hierarchy: 0 } });
    const percentages = [
      aCoupon(percentOff(50)),
      aCoupon(percentOff(10), category("initial")),
      aCoupon(percentOff(10), category("discounted")),
    ];
    const modes = { initial_amount_mode_categories: ["initial"], discounted_amount_mode_categories: ["discounted"] };
    expect(discounts(decided(percentages, { amount: 1000 }, {}, modes))).toEqual([500, 100, 40]);
    expect(discounts(decided(percentages, { amount: 1000 }, {}, { ...modes, ...INITIAL }))).toEqual([500, 100, 40]);
  });
});

describe("free units raise the amount and the discount alike", () => {
  const unit = aDiscount({ type: "UNIT", unit_type: "a", unit_off: 1, effect: "ADD_NEW_ITEMS" });
  test("so that later percentages do not see them", () => {
    const decision = decided([aCoupon(unit), aCoupon(percentOff(10))], { items: [aLine("a", 450, 3)] });
    expect(discounts(decision)).toEqual([450, 135]);
    expect(rendered(decision)).toMatchObject({ amount: 1800, initial_amount: 1350, total_amount: 1215 });
  });
});

test.each`
  rule               | outcome
  ${"REDEEM_ANYWAY"} | ${["APPLICABLE", "APPLICABLE", "APPLICABLE"]}
  ${"SKIP"}          | ${["APPLICABLE", "no_effect", "no_effect"]}
`("with nothing left to take and the rule $rule: $outcome", ({ rule, outcome }) => {
  const redeemables = [aCoupon(percentOff(100)), aCoupon(amountOff(100)), aGiftCard(100)];
  expect(words(decided(redeemables, cart, {}, { redeemables_no_effect_rule: rule }))).toEqual(outcome);
});
