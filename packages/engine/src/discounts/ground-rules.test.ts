import { describe, expect, test } from "vitest";
import { aCoupon, aGiftCard, decided, discounts, rendered, totalAfter } from "../decision/decision.fixtures.js";
import type { Discount } from "../facts.js";
import { aDiscount, aLine, amountOff, aRule, fixed, itemsIncluded, percentOff } from "./discounts.fixtures.js";

const ITEMS = { effect: "APPLY_TO_ITEMS" };
const BIGGEST = Number.MAX_SAFE_INTEGER;
const ofItems = (...ids: string[]) => [aRule({ applicable_to: itemsIncluded(...ids) })];

describe("every amount is rounded once, to the nearest minor unit, halves up", () => {
  test.each`
    percent    | amount  | taken
    ${50}      | ${1}    | ${1}
    ${50}      | ${3}    | ${2}
    ${49.99}   | ${1}    | ${0}
    ${14.5}    | ${1000} | ${145}
    ${0.5}     | ${100}  | ${1}
    ${0.49999} | ${100}  | ${0}
    ${33.3333} | ${300}  | ${100}
  `("$percent % of an order of $amount take $taken", ({ percent, amount, taken }) => {
    expect(discounts(decided([aCoupon(percentOff(percent))], { amount }))).toEqual([taken]);
  });

  test("on items once for each line, neither for each unit nor for the sum", () => {
    // A half for each of three units is 3 when units are rounded and 2 for the line; for both lines together it is 3.
    const items = [aLine("a", 1, 3), aLine("b", 1, 3)];
    const decision = decided([aCoupon(percentOff(50, ITEMS), { rules: ofItems("a", "b") })], { items });
    expect(rendered(decision)?.items.map((line) => line.discount_amount)).toEqual([2, 2]);
  });
});

describe("amounts stay exact up to 2^53 − 1", () => {
  test.each`
    discount                         | taken
    ${percentOff(100)}               | ${BIGGEST}
    ${percentOff(50)}                | ${4503599627370496}
    ${percentOff(33.333)}            | ${Number((BigInt(BIGGEST) * 33333n * 2n + 100000n) / 200000n)}
    ${amountOff(BIGGEST)}            | ${BIGGEST}
    ${amountOff(BIGGEST - 1)}        | ${BIGGEST - 1}
    ${fixed(1)}                      | ${BIGGEST - 1}
    ${percentOff(100, ITEMS)}        | ${BIGGEST}
    ${percentOff(33.333, ITEMS)}     | ${Number((BigInt(BIGGEST) * 33333n * 2n + 100000n) / 200000n)}
    ${amountOff(BIGGEST - 1, ITEMS)} | ${BIGGEST - 1}
    ${fixed(1, ITEMS)}               | ${BIGGEST - 1}
  `("$discount.discount takes $taken", ({ discount, taken }) => {
    const decision = decided([aCoupon(discount, { rules: discount.effect === null ? [] : ofItems("a") })], {
      items: [aLine("a", BIGGEST)],
    });
    expect(discounts(decision)).toEqual([taken]);
  });

  test.each([
    "APPLY_TO_ITEMS_BY_QUANTITY",
    "APPLY_TO_ITEMS_PROPORTIONALLY",
    "APPLY_TO_ITEMS_PROPORTIONALLY_BY_QUANTITY",
  ])("%s of the largest amount takes all of three lines and not a unit more", (effect) => {
    const items = [aLine("a", 3_002_399_751_580_330), aLine("b", 3_002_399_751_580_330), aLine("c", 331)];
    const decision = decided([aCoupon(amountOff(BIGGEST, { effect }), { rules: ofItems("a", "b", "c") })], { items });
    expect(totalAfter(decision)).toBe(0);
  });

  test("units are given only as far as amounts stay exact", () => {
    const units = (effect: string): Discount => ({ type: "UNIT", unit_type: "a", unit_off: BIGGEST, effect });
    for (const order of [
      { items: [aLine("a", 7, 2)] },
      { items: [aLine("a", 7, 2), aLine("b", BIGGEST - 100)] },
      // Sent amounts win: the order may be worth less than its lines.
      { amount: 1, items: [aLine("a", 7, 2, { amount: BIGGEST - 1 })] },
      { items: [aLine("b", BIGGEST)] },
      // A unit costs 8⅓, which rounds down: so many units cost more than so many times 8.
      { items: [{ product_id: "a", amount: 25, quantity: 3 }] },
      { items: [aLine("a", 0, BIGGEST)] },
    ]) {
      for (const effect of ["ADD_NEW_ITEMS", "ADD_MISSING_ITEMS", "REPLACE_ITEMS"]) {
        const decision = decided([aCoupon(aDiscount(units(effect)), { rules: ofItems("a", "b") })], order, {
          unit_objects: new Map([["a", { product: { id: "a", price: 7 }, sku: null }]]),
        });
        for (const line of decision.order?.lines ?? []) {
          for (const value of [line.quantity, line.amount ?? 0]) expect(Number.isSafeInteger(value)).toBe(true);
        }
        expect(Number.isSafeInteger(decision.order?.amount)).toBe(true);
        expect(totalAfter(decision)).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

describe("a discount is never above what is left", () => {
  test.each`
    discount                  | taken
    ${amountOff(9000)}        | ${5000}
    ${fixed(9000)}            | ${0}
    ${fixed(0)}               | ${5000}
    ${percentOff(100)}        | ${5000}
    ${amountOff(9000, ITEMS)} | ${5000}
    ${fixed(9000, ITEMS)}     | ${0}
    ${fixed(0, ITEMS)}        | ${5000}
    ${amountOff(0)}           | ${0}
    ${percentOff(0)}          | ${0}
  `("$discount.discount on 5000 takes $taken", ({ discount, taken }) => {
    const rules = discount.effect === null ? [] : ofItems("a");
    expect(discounts(decided([aCoupon(discount, { rules })], { items: [aLine("a", 5000)] }))).toEqual([taken]);
  });

  test.each([{ items: [] }, { amount: 0 }, { items: [aLine("a", 0)] }, { items: [aLine("a", 100, 0)] }])(
    "on %o there is nothing to take",
    (order) => {
      for (const discount of [amountOff(1), percentOff(100), fixed(0), percentOff(100, ITEMS), fixed(0, ITEMS)]) {
        const decision = decided([aCoupon(discount, { rules: ofItems("a") })], order);
        expect(discounts(decision)).toEqual([0]);
        expect(totalAfter(decision)).toBe(0);
      }
    },
  );

  test("an item's discount fits in the order too: 4700 off an order of 5000, then 20 % of its line, leave 300 for the items", () => {
    const redeemables = [aCoupon(amountOff(4700)), aCoupon(percentOff(20, ITEMS), { rules: ofItems("a") })];
    expect(discounts(decided(redeemables, { items: [aLine("a", 5000)] }))).toEqual([4700, 300]);
  });
});

test("order-level discounts change no item, item-level ones no order-level field", () => {
  const items = [aLine("a", 1000, 2)];
  const on_order = rendered(decided([aCoupon(amountOff(300)), aGiftCard(200)], { items }));
  expect(on_order).toMatchObject({ discount_amount: 500, total_discount_amount: 500 });
  expect(on_order?.items).toEqual([
    { quantity: 2, initial_quantity: 2, price: 1000, amount: 2000, initial_amount: 2000, subtotal_amount: 2000 },
  ]);
  const on_items = rendered(decided([aCoupon(amountOff(300, ITEMS), { rules: ofItems("a") })], { items }));
  expect(on_items).not.toHaveProperty("discount_amount");
  expect(on_items).toMatchObject({ items_discount_amount: 300, total_amount: 1700 });
});
