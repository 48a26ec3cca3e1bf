import { describe, expect, test } from "vitest";
import { aCoupon, decided, discounts, rendered, words } from "../decision/decision.fixtures.js";
import type { OrderInput, OrderLineInput } from "../orders/order.js";
import type { CompiledDiscount } from "./compile.js";
import {
  aDiscount,
  aLine,
  amountOff,
  anEntry,
  aRule,
  fixed,
  itemsIncluded,
  percentOff,
  workedCart,
} from "./discounts.fixtures.js";

const included = itemsIncluded("cup", "lamp", "rug");
const ITEMS = { effect: "APPLY_TO_ITEMS" };
const ORDER = { effect: "APPLY_TO_ORDER" };
const BY_QUANTITY = { effect: "APPLY_TO_ITEMS_BY_QUANTITY" };
const SHARED = { effect: "APPLY_TO_ITEMS_PROPORTIONALLY" };
const SHARED_BY_QUANTITY = { effect: "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY" };

/** What each line of a cart gets, with every named product included. */
const lineDiscounts = (
  discount: CompiledDiscount,
  items: OrderLineInput[],
  ...named: Parameters<typeof itemsIncluded>
) => {
  const rules = [aRule({ applicable_to: itemsIncluded(...named) })];
  return rendered(decided([aCoupon(discount, { rules })], { items }))?.items.map((line) => line.discount_amount ?? 0);
};

describe("the worked cart of 24297: cup 4 × 1250, lamp 3200, rug 2 × 7750, pin 3 × 199 not included", () => {
  test.each`
    name                                        | discount                                                                    | lines                 | order_level  | total
    ${"AMOUNT 1999 on the order"}               | ${amountOff(1999, ORDER)}                                                   | ${[0, 0, 0]}          | ${1999}      | ${22298}
    ${"PERCENT 15 on the order"}                | ${percentOff(15, ORDER)}                                                    | ${[0, 0, 0]}          | ${3645}      | ${20652}
    ${"PERCENT 15 on the order, at most 3000"}  | ${percentOff(15, { ...ORDER, amount_limit: 3000 })}                         | ${[0, 0, 0]}          | ${3000}      | ${21297}
    ${"FIXED 19900 on the order"}               | ${fixed(19900, ORDER)}                                                      | ${[0, 0, 0]}          | ${4397}      | ${19900}
    ${"AMOUNT 3500 on items"}                   | ${amountOff(3500, ITEMS)}                                                   | ${[3500, 3200, 3500]} | ${undefined} | ${14097}
    ${"AMOUNT 1300 by quantity"}                | ${amountOff(1300, { effect: "APPLY_TO_ITEMS_BY_QUANTITY" })}                | ${[5000, 1300, 2600]} | ${undefined} | ${15397}
    ${"AMOUNT 2000 proportionally"}             | ${amountOff(2000, { effect: "APPLY_TO_ITEMS_PROPORTIONALLY" })}             | ${[422, 270, 1308]}   | ${undefined} | ${22297}
    ${"AMOUNT 2000 proportionally by quantity"} | ${amountOff(2000, { effect: "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY" })} | ${[1143, 286, 571]}   | ${undefined} | ${22297}
    ${"PERCENT 15 on items"}                    | ${percentOff(15, ITEMS)}                                                    | ${[750, 480, 2325]}   | ${undefined} | ${20742}
    ${"PERCENT 15 on items, 600 a line"}        | ${percentOff(15, { ...ITEMS, amount_limit: 600 })}                          | ${[600, 480, 600]}    | ${undefined} | ${22617}
    ${"PERCENT 15 on items, 1100 in all"}       | ${percentOff(15, { ...ITEMS, aggregated_amount_limit: 1100 })}              | ${[750, 350, 0]}      | ${undefined} | ${23197}
    ${"FIXED 2900 on items"}                    | ${fixed(2900, ITEMS)}                                                       | ${[0, 300, 9700]}     | ${undefined} | ${14297}
  `("$name leaves $total", ({ discount, lines, order_level, total }) => {
    const decision = decided([aCoupon(discount, { rules: [aRule({ applicable_to: included })] })], workedCart);
    const order = rendered(decision);
    expect(order?.items.map((line) => line.discount_amount ?? 0)).toEqual([...lines, 0]);
    expect(order?.discount_amount).toBe(order_level);
    expect(order?.total_discount_amount).toBe(24297 - total);
    expect(order?.total_amount).toBe(total);
  });
});

describe("a share of one amount", () => {
  test("that does not come out even goes up where the most is cut off, then where the line comes first", () => {
    const equal = [aLine("a", 700), aLine("b", 700), aLine("c", 700)];
    expect(lineDiscounts(amountOff(200, SHARED), equal, "a", "b", "c")).toEqual([67, 67, 66]);
    expect(lineDiscounts(amountOff(1, SHARED), equal, "a", "b", "c")).toEqual([1, 0, 0]);
    expect(lineDiscounts(amountOff(1, SHARED), equal, "c", "b", "a")).toEqual([1, 0, 0]);
  });

  test("by quantity is at most what the line is worth; the rest goes to the other lines by the same weights", () => {
    const items = [aLine("a", 10, 2), aLine("b", 900, 1), aLine("c", 900, 3)];
    expect(lineDiscounts(amountOff(120, SHARED_BY_QUANTITY), items, "a", "b", "c")).toEqual([20, 25, 75]);
  });

  test("of more than all lines are worth is all they are worth", () => {
    const items = [aLine("a", 10, 2), aLine("b", 30)];
    expect(lineDiscounts(amountOff(9000, SHARED), items, "a", "b")).toEqual([20, 30]);
    expect(lineDiscounts(amountOff(9000, SHARED_BY_QUANTITY), items, "a", "b")).toEqual([20, 30]);
  });

  test("weighs only the units that may be discounted", () => {
    const items = [aLine("a", 100, 4), aLine("b", 100, 1)];
    const one_of_a = anEntry("a", { quantity_limit: 1 });
    expect(lineDiscounts(amountOff(60, SHARED), items, one_of_a, "b")).toEqual([30, 30]);
    expect(lineDiscounts(amountOff(60, SHARED_BY_QUANTITY), items, one_of_a, "b")).toEqual([30, 30]);
  });

  test("is worked out first and limited afterwards, earlier lines first", () => {
    const items = [aLine("a", 100), aLine("b", 300)];
    const limited = amountOff(200, { ...SHARED, aggregated_amount_limit: 120 });
    expect(lineDiscounts(limited, items, "a", "b")).toEqual([50, 70]);
    expect(lineDiscounts(amountOff(200, SHARED), items, anEntry("a", { amount_limit: 20 }), "b")).toEqual([20, 150]);
    const redeemables = [
      aCoupon(amountOff(280)),
      aCoupon(amountOff(200, SHARED), { rules: [aRule({ applicable_to: itemsIncluded("a", "b") })] }),
    ];
    expect(rendered(decided(redeemables, { items }))?.items.map((line) => line.discount_amount)).toEqual([50, 70]);
  });
});

describe("the limits of a discount count where its type knows them", () => {
  const one = (discount: CompiledDiscount) =>
    lineDiscounts(discount, [aLine("a", 1000, 2), aLine("b", 1000)], "a", "b");
  const order = (discount: CompiledDiscount) => discounts(decided([aCoupon(discount)], { amount: 3000 }));
  test.each`
    name                                     | taken                                                                                     | expected
    ${"AMOUNT knows no limit for each line"} | ${one(amountOff(500, { ...ITEMS, amount_limit: 100 }))}                                   | ${[500, 500]}
    ${"AMOUNT on items, in all"}             | ${one(amountOff(500, { ...ITEMS, aggregated_amount_limit: 700 }))}                        | ${[500, 200]}
    ${"AMOUNT by quantity, in all"}          | ${one(amountOff(500, { ...BY_QUANTITY, aggregated_amount_limit: 1200 }))}                 | ${[1000, 200]}
    ${"AMOUNT on the order, in all"}         | ${order(amountOff(500, { ...ORDER, aggregated_amount_limit: 300 }))}                      | ${[300]}
    ${"PERCENT on the order, for the order"} | ${order(percentOff(50, { ...ORDER, amount_limit: 300 }))}                                 | ${[300]}
    ${"PERCENT on the order, in all"}        | ${order(percentOff(50, { ...ORDER, aggregated_amount_limit: 299 }))}                      | ${[299]}
    ${"FIXED knows none, on items"}          | ${one(fixed(0, { ...ITEMS, amount_limit: 1, aggregated_amount_limit: 1 }))}               | ${[2000, 1000]}
    ${"FIXED knows none, on the order"}      | ${order(fixed(0, { ...ORDER, amount_limit: 1, aggregated_amount_limit: 1 }))}             | ${[3000]}
    ${"a limit of 0 leaves nothing"}         | ${order(percentOff(50, { ...ORDER, amount_limit: 0 }))}                                   | ${[0]}
    ${"in all 0 leaves nothing"}             | ${one(percentOff(50, { ...ITEMS, aggregated_amount_limit: 0 }))}                          | ${[0, 0]}
    ${"no limit is no limit"}                | ${order(percentOff(50, { ...ORDER, amount_limit: null, aggregated_amount_limit: null }))} | ${[1500]}
    ${"a fraction of a limit is cut off"}    | ${order(percentOff(50, { ...ORDER, aggregated_amount_limit: 299.9 }))}                    | ${[299]}
  `("$name: $expected", ({ taken, expected }) => {
    expect(taken).toEqual(expected);
  });
});

describe("a static new price with a fraction is rounded with its line, and not for each unit (discounts.md §1.4)", () => {
  const pens = (quantity: number) => [aLine("a", 100, quantity)];
  const at_10_5 = anEntry("a", { price: 10.5 });
  test.each`
    name                                 | taken                                                                  | expected
    ${"10 units at an entry's 10.5"}     | ${lineDiscounts(fixed(null, ITEMS), pens(10), at_10_5)}                | ${[895]}
    ${"10 units at the discount's 10.5"} | ${lineDiscounts(fixed(10.5, ITEMS), pens(10), "a")}                    | ${[895]}
    ${"exact halves go up: 268.5"}       | ${lineDiscounts(fixed(10.5, ITEMS), pens(3), "a")}                     | ${[269]}
    ${"a fraction above the unit price"} | ${lineDiscounts(fixed(100.5, ITEMS), pens(10), "a")}                   | ${[0]}
    ${"an order brought down to 10.4"}   | ${discounts(decided([aCoupon(fixed(10.4, ORDER))], { amount: 1000 }))} | ${[990]}
    ${"an order brought down to 10.5"}   | ${discounts(decided([aCoupon(fixed(10.5, ORDER))], { amount: 1000 }))} | ${[990]}
  `("$name: $expected", ({ taken, expected }) => {
    expect(taken).toEqual(expected);
  });
});

describe("an item-level effect without a line to touch", () => {
  const nothing: [string, OrderInput, CompiledDiscount[]][] = [
    [
      "no line matches",
      { items: [aLine("other", 500)] },
      [percentOff(10, ITEMS), fixed(1, ITEMS), amountOff(5, SHARED)],
    ],
    ["there are no lines", { amount: 500 }, [percentOff(10, ITEMS), amountOff(5, ITEMS), amountOff(5, BY_QUANTITY)]],
  ];
  test.each(nothing)("takes nothing when %s, and is no error", (_name, order, all) => {
    for (const discount of all) {
      const rules = [aRule({ applicable_to: itemsIncluded("a") })];
      for (const decision of [decided([aCoupon(discount, { rules })], order), decided([aCoupon(discount)], order)]) {
        expect(words(decision)).toEqual(["APPLICABLE"]);
        expect(discounts(decision)).toEqual([0]);
      }
    }
  });

  test("is skipped where the rules skip what has no effect", () => {
    const decision = decided([aCoupon(percentOff(10, ITEMS))], workedCart, {}, { redeemables_no_effect_rule: "SKIP" });
    expect(words(decision)).toEqual(["no_effect"]);
  });
});

test("an amount off an item counts once for the line, by quantity once for each unit", () => {
  const items = [aLine("a", 1000, 3)];
  expect(lineDiscounts(amountOff(200, ITEMS), items, "a")).toEqual([200]);
  expect(lineDiscounts(amountOff(200, BY_QUANTITY), items, "a")).toEqual([600]);
});

test("where the sent amount disagrees with price × quantity, a unit costs its part of the amount", () => {
  const items = [aLine("a", 1000, 3, { amount: 1500 })];
  const two = anEntry("a", { quantity_limit: 2 });
  expect(lineDiscounts(percentOff(10, ITEMS), items, two)).toEqual([100]);
  expect(lineDiscounts(amountOff(700, BY_QUANTITY), items, two)).toEqual([1000]);
  expect(lineDiscounts(fixed(400, ITEMS), items, two)).toEqual([200]);
});

test("what an earlier discount took off a line is no longer there for the next", () => {
  const rules = [aRule({ applicable_to: itemsIncluded("a") })];
  const coupon = (discount: CompiledDiscount) => aCoupon(discount, { rules });
  const redeemables = [coupon(percentOff(50, ITEMS)), coupon(percentOff(50, ITEMS)), coupon(amountOff(9000, ITEMS))];
  expect(discounts(decided(redeemables, { items: [aLine("a", 1000)] }))).toEqual([500, 250, 250]);
});

describe("the effect in force where none is stored", () => {
  test.each`
    discount                                                                               | names_items | effect
    ${{ type: "AMOUNT", amount_off: 1 }}                                                   | ${false}    | ${"APPLY_TO_ORDER"}
    ${{ type: "AMOUNT", amount_off: 1 }}                                                   | ${true}     | ${"APPLY_TO_ITEMS"}
    ${{ type: "FIXED", fixed_amount: 1 }}                                                  | ${true}     | ${"APPLY_TO_ITEMS"}
    ${{ type: "UNIT", unit_off: 1, unit_type: "a" }}                                       | ${true}     | ${"ADD_MISSING_ITEMS"}
    ${{ type: "UNIT", units: [{ unit_off: 1, unit_type: "a", effect: "ADD_NEW_ITEMS" }] }} | ${false}    | ${"ADD_MANY_ITEMS"}
  `("$discount, rule names items $names_items: $effect", ({ discount, names_items, effect }) => {
    const rules = names_items ? [aRule({ applicable_to: itemsIncluded("a") })] : [];
    const decision = decided([aCoupon(aDiscount(discount), { rules })], { items: [aLine("a", 100)] });
    expect(decision.outcomes[0]).toMatchObject({ result: { discount: { effect, is_dynamic: false } } });
  });

  test.each([
    ["an order without lines", { amount: 6000 }],
    ["an order of three lines", { items: [aLine("a", 1000), aLine("b", 2000), aLine("c", 3000)] }],
  ])("a rule that includes all and names nothing takes the amount off %s once", (_name, order: OrderInput) => {
    const rules = [aRule({ applicable_to: { included: [], excluded: [], included_all: true } })];
    const decision = decided([aCoupon(amountOff(500), { rules })], order);
    expect(discounts(decision)).toEqual([500]);
    expect(decision.outcomes[0]).toMatchObject({ result: { discount: { effect: "APPLY_TO_ORDER" } } });
  });
});
