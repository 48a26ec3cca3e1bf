import { describe, expect, test } from "vitest";
import {
  aDiscount,
  aLine,
  amountOff,
  anEntry,
  anItem,
  aRule,
  fixed,
  itemsIncluded,
  percentOff,
} from "../discounts/discounts.fixtures.js";
import type { AmountStep } from "../discounts/trace.js";
import { parseFormula } from "../formulas/index.js";
import { totalDiscount } from "../orders/part.js";
import { decide } from "./decide.js";
import {
  aCoupon,
  aCustomer,
  aGiftCard,
  aLoyaltyCard,
  aReward,
  explanationsOf,
  NOON,
  someFacts,
} from "./decision.fixtures.js";

const of_items = (...named: Parameters<typeof itemsIncluded>) => [aRule({ applicable_to: itemsIncluded(...named) })];

describe("an amount is explained for every type and effect", () => {
  const items = [aLine("a", 1000, 3), aLine("b", 500, 2)];
  const unit = (effect: string) => aDiscount({ type: "UNIT", unit_off: 2, unit_type: "b", effect });
  const formula = (text: string) => {
    const parsed = parseFormula(text);
    if ("fault" in parsed) throw new Error(parsed.fault.problem);
    return parsed.formula;
  };
  const points = aLoyaltyCard({ balance: 30, reward: aReward({ coin: { exchange_ratio: 0.125, points_ratio: 3 } }) });
  const per_line = { amount_off_formula: "ORDER_ITEM_PRICE / 100", effect: "APPLY_TO_ITEMS" };
  const ORDER = { effect: "APPLY_TO_ORDER" };
  const ITEMS = { effect: "APPLY_TO_ITEMS" };
  const bundle = { limit: 2, conditions: [{ item: anItem("a"), quantity: 1 }] };
  const bundled = [aRule({ applicable_to: itemsIncluded("a"), bundle })];
  const rules = of_items("a");
  const all = of_items("a", "b");
  test.each`
    name                       | redeemable                                                                                                | steps
    ${"AMOUNT on the order"}   | ${aCoupon(amountOff(300, ORDER))}                                                                         | ${[{ line: null, base: 4000, rate: { kind: "amount", value: 300, source: "static" }, amount: 300 }]}
    ${"PERCENT on the order"}  | ${aCoupon(percentOff(1.01, ORDER))}                                                                       | ${[{ line: null, base: 4000, rate: { kind: "percent", value: 1.01 }, exact: "40.4", wanted: 40, amount: 40 }]}
    ${"a percentage formula"}  | ${aCoupon(aDiscount({ type: "PERCENT", percent_off: 1, percent_off_formula: "2", ...ORDER }))}            | ${[{ rate: { kind: "percent", value: 2, source: "formula" }, amount: 80 }]}
    ${"a fallback"}            | ${aCoupon(aDiscount({ type: "AMOUNT", amount_off: 7, amount_off_formula: "1/0", ...ORDER }))}             | ${[{ rate: { kind: "amount", value: 7, source: "static" }, amount: 7 }]}
    ${"FIXED on the order"}    | ${aCoupon(fixed(3900, ORDER))}                                                                            | ${[{ line: null, base: 4000, rate: { kind: "fixed", value: 3900 }, amount: 100 }]}
    ${"AMOUNT on items"}       | ${aCoupon(amountOff(300, ITEMS), { rules })}                                                              | ${[{ line: 0, base: 3000, rate: { kind: "amount", value: 300 }, amount: 300 }]}
    ${"a formula of the line"} | ${aCoupon(aDiscount({ type: "AMOUNT", amount_off: 1, ...per_line }), { rules: all })}                     | ${[{ rate: { value: 10, source: "formula" }, amount: 10 }, { rate: { value: 5, source: "formula" }, amount: 5 }]}
    ${"AMOUNT by quantity"}    | ${aCoupon(amountOff(1200, { effect: "APPLY_TO_ITEMS_BY_QUANTITY" }), { rules })}                          | ${[{ line: 0, units: { discounted: 3, of: 3 }, rate: { kind: "amount", value: 1200 }, amount: 3000 }]}
    ${"PROPORTIONALLY"}        | ${aCoupon(amountOff(101, { effect: "APPLY_TO_ITEMS_PROPORTIONALLY" }), { rules: all })}                   | ${[{ rate: { kind: "share", value: 101 }, exact: "75.75", amount: 76 }, { exact: "25.25", amount: 25 }]}
    ${"shares by quantity"}    | ${aCoupon(amountOff(101, { effect: "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY" }), { rules: all })}       | ${[{ rate: { kind: "share", value: 101 }, exact: "60.6", amount: 61 }, { exact: "40.4", amount: 40 }]}
    ${"a line worth less"}     | ${aCoupon(amountOff(2501, { effect: "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY" }), { rules: all })}      | ${[{ rate: { kind: "share", value: 2501 }, exact: "1501", amount: 1501 }, { exact: "1000", amount: 1000 }]}
    ${"FIXED on items"}        | ${aCoupon(fixed(900, ITEMS), { rules })}                                                                  | ${[{ line: 0, base: 3000, rate: { kind: "fixed", value: 900, source: "static" }, amount: 300 }]}
    ${"an entry's price"}      | ${aCoupon(fixed(1, ITEMS), { rules: of_items(anEntry("a", { price: 800 })) })}                            | ${[{ rate: { kind: "fixed", value: 800, source: "entry_price" }, amount: 600 }]}
    ${"its formula"}           | ${aCoupon(fixed(1, ITEMS), { rules: of_items(anEntry("a", { price: 1, price_formula: formula("7") })) })} | ${[{ rate: { kind: "fixed", value: 700, source: "entry_price_formula" }, amount: 900 }]}
    ${"bundles"}               | ${aCoupon(percentOff(5, ITEMS), { rules: bundled })}                                                      | ${[{ rate: { kind: "percent", value: 10, bundles: 2 }, amount: 300 }]}
    ${"missing units"}         | ${aCoupon(unit("ADD_MISSING_ITEMS"))}                                                                     | ${[{ line: 1, units: { discounted: 2, of: 2 }, rate: { kind: "units", value: 2 }, amount: 1000 }]}
    ${"new units"}             | ${aCoupon(unit("ADD_NEW_ITEMS"))}                                                                         | ${[{ line: 1, units: { discounted: 2, of: 4 }, rate: { kind: "units", value: 2 }, amount: 1000 }]}
    ${"replaced units"}        | ${aCoupon(unit("REPLACE_ITEMS"), { rules })}                                                              | ${[{ line: 1, base: 1000, rate: { kind: "replacement", value: 1000 }, amount: 0 }]}
    ${"a gift"}                | ${aGiftCard(700)}                                                                                         | ${[{ line: null, base: 4000, rate: { kind: "amount", value: 700 }, amount: 700 }]}
    ${"a gift on items"}       | ${aGiftCard(3300, null, { effect: "APPLY_TO_ITEMS", rules: all })}                                        | ${[{ line: 0, amount: 3000 }, { line: 1, amount: 300, limits: [{ name: "aggregated_amount_limit", left: 300 }] }]}
    ${"points"}                | ${points}                                                                                                 | ${[{ line: null, base: 4000, rate: { kind: "points", value: 30 }, exact: "125", amount: 125 }]}
  `("$name", ({ redeemable, steps }) => {
    const [explanation] = explanationsOf([redeemable], { items });
    expect(explanation?.amounts).toMatchObject(steps);
  });

  test("sums to what was taken, whatever else took something before", () => {
    const effects = ["APPLY_TO_ITEMS", "APPLY_TO_ITEMS_BY_QUANTITY", "APPLY_TO_ITEMS_PROPORTIONALLY", "APPLY_TO_ORDER"];
    const redeemables = [
      ...effects.map((effect) => aCoupon(amountOff(250, { effect }), { rules: all })),
      aCoupon(unit("ADD_NEW_ITEMS")),
      aGiftCard(100),
      points,
    ];
    const decision = decide(someFacts(redeemables, { items }, { customer: aCustomer("cust_1") }), NOON, {
      explain: true,
    });
    for (const outcome of decision.outcomes) {
      const explained = (outcome.explanation?.amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
      expect(outcome.status === "APPLICABLE" && totalDiscount(outcome.applied)).toBe(explained);
    }
  });

  test("names the base of each calculation mode", () => {
    const modes = (discount: AmountStep["base_mode"]) =>
      explanationsOf(
        [aCoupon(amountOff(1000)), aCoupon(percentOff(10, ITEMS), { rules }), aCoupon(percentOff(10))],
        { items },
        {
          discount_calculation_mode: discount,
        },
      ).map((explanation) => explanation?.amounts.map(({ base, base_mode }) => [base, base_mode]));
    expect(modes("DISCOUNTED_AMOUNT")).toEqual([
      [[4000, "DISCOUNTED_AMOUNT"]],
      [[3000, "DISCOUNTED_AMOUNT"]],
      [[2700, "DISCOUNTED_AMOUNT"]],
    ]);
    expect(modes("INITIAL_AMOUNT")).toEqual([
      [[4000, "DISCOUNTED_AMOUNT"]],
      [[3000, "INITIAL_AMOUNT"]],
      [[4000, "INITIAL_AMOUNT"]],
    ]);
  });
});

describe("the lines of an item-level discount", () => {
  const items = [
    aLine("a", 100, 5),
    aLine("b", 100, 5),
    aLine("c", 100),
    aLine("d", 100, 0),
    { product_id: "e" },
    aLine("f", 100),
  ];
  const entries = {
    ...itemsIncluded(
      anEntry("a", { quantity_limit: 2 }),
      anEntry("b", { target: "UNIT", skip_initially: 1, repeat: 2 }),
      "f",
    ),
    excluded: [anItem("c")],
  };
  const by_quantity = amountOff(10, { effect: "APPLY_TO_ITEMS_BY_QUANTITY" });

  test("say how many units counted and what held some back, or why they take no part", () => {
    const [, explanation] = explanationsOf(
      [
        aCoupon(percentOff(1, { effect: "APPLY_TO_ITEMS" }), { rules: of_items("f") }),
        aCoupon(by_quantity, { rules: [aRule({ applicable_to: entries })] }),
      ],
      { items: [...items, aLine("g", 100)] },
      { redeemables_products_application_mode: "ONCE" },
    );
    expect([...(explanation?.lines ?? [])].sort((x, y) => x.line - y.line)).toMatchObject([
      {
        line: 0,
        left_out: null,
        entry: { id: "a" },
        counted: 5,
        limits: [{ name: "quantity_limit", left: 2 }],
        units: 2,
      },
      { line: 1, left_out: null, entry: { id: "b" }, counted: 2, limits: [], units: 2 },
      { line: 2, left_out: "excluded", units: 0 },
      { line: 3, left_out: "no_units", units: 0 },
      { line: 4, left_out: "no_amount", units: 0 },
      { line: 5, left_out: "discounted_before", units: 0 },
      { line: 6, left_out: "not_included", units: 0 },
    ]);
  });

  test("name the budget that is used up", () => {
    const budget = { scope: "campaign" as const, per_customer: false, each_product: false, limit: 4, formula: null };
    const rules = of_items(anEntry("a", { budgets: [budget] }));
    const units_discounted = new Map([["campaign/all/product/a", 3]]);
    const [explanation] = explanationsOf([aCoupon(by_quantity, { rules, units_discounted })], {
      items: items.slice(0, 1),
    });
    expect(explanation?.lines).toMatchObject([{ limits: [{ name: "unit_budget", left: 1 }], units: 1 }]);
  });

  test("are not asked for by a discount or a gift for the whole order", () => {
    expect(explanationsOf([aGiftCard(5, null, { rules: of_items("a") })], { items })[0]?.lines).toEqual([]);
    const [explanation] = explanationsOf(
      [aCoupon(percentOff(1, { effect: "APPLY_TO_ORDER" }), { rules: of_items("a") })],
      { items },
    );
    expect(explanation?.lines).toEqual([]);
  });
});
