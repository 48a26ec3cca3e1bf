import { describe, expect, test } from "vitest";
import { aCoupon, aGiftCard, aTier, decided } from "../decision/decision.fixtures.js";
import type { Applicable } from "../decision/outcome.js";
import {
  aDiscount,
  aLine,
  amountOff,
  aRule,
  fixed,
  itemsIncluded,
  percentOff,
} from "../discounts/discounts.fixtures.js";
import type { UnitObject } from "../discounts/effect.js";
import type { Discount } from "../facts.js";
import { normaliseOrder } from "./normalise.js";
import { applyPart, linePart, NOTHING } from "./part.js";
import { renderLineAmounts, renderOrderAmounts } from "./render.js";

const ITEMS = { effect: "APPLY_TO_ITEMS" };
const of_a = { rules: [aRule({ applicable_to: itemsIncluded("a") })] };

const fieldsAfterEach = (...given: Parameters<typeof decided>) =>
  decided(...given).outcomes.map((outcome) => {
    const { order, applied } = outcome as Applicable;
    return order === null ? {} : renderOrderAmounts(order, applied);
  });

describe("the order after each redeemable", () => {
  const redeemables = [aGiftCard(5000, 1500), aCoupon(percentOff(10)), aTier(amountOff(7000))];

  test("is cumulative, but for what is applied now", () => {
    expect(fieldsAfterEach(redeemables, { amount: 87000 })).toMatchObject([
      { discount_amount: 1500, applied_discount_amount: 1500, total_amount: 85500 },
      { discount_amount: 10050, applied_discount_amount: 8550, total_amount: 76950 },
      { discount_amount: 17050, applied_discount_amount: 7000, total_amount: 69950 },
    ]);
  });

  test("and after all of them, where now is the whole request", () => {
    const decision = decided(redeemables, { amount: 87000 });
    expect(decision.order && renderOrderAmounts(decision.order, decision.applied)).toEqual({
      amount: 87000,
      initial_amount: 87000,
      discount_amount: 17050,
      total_discount_amount: 17050,
      total_amount: 69950,
      applied_discount_amount: 17050,
      total_applied_discount_amount: 17050,
    });
  });

  test("repeats item discounts in a later order-level step, which applies none of them", () => {
    const items = [aLine("a", 1000, 2), aLine("b", 500)];
    const steps = fieldsAfterEach([aCoupon(percentOff(10, ITEMS), of_a), aCoupon(amountOff(300))], { items });
    expect(steps).toEqual([
      {
        amount: 2500,
        initial_amount: 2500,
        items_discount_amount: 200,
        total_discount_amount: 200,
        total_amount: 2300,
        items_applied_discount_amount: 200,
        total_applied_discount_amount: 200,
      },
      {
        amount: 2500,
        initial_amount: 2500,
        discount_amount: 300,
        items_discount_amount: 200,
        total_discount_amount: 500,
        total_amount: 2000,
        applied_discount_amount: 300,
        total_applied_discount_amount: 300,
      },
    ]);
  });

  test("shows nothing of a redeemable that took nothing", () => {
    expect(fieldsAfterEach([aCoupon(amountOff(0))], { amount: 500 })).toEqual([
      { amount: 500, initial_amount: 500, total_amount: 500 },
    ]);
    expect(fieldsAfterEach([aCoupon(percentOff(100))], { amount: 0 })).toEqual([
      { amount: 0, initial_amount: 0, total_amount: 0 },
    ]);
  });
});

describe("a line", () => {
  test("that two redeemables discounted shows both, and what the second one did", () => {
    const items = [aLine("a", 1000, 2)];
    const coupon = () => aCoupon(percentOff(10, ITEMS), of_a);
    const { outcomes } = decided([coupon(), coupon()], { items });
    const { order, applied } = outcomes[1] as Applicable;
    expect(order?.lines.map((line) => renderLineAmounts(line, applied.lines[0], {}))).toEqual([
      {
        quantity: 2,
        initial_quantity: 2,
        price: 1000,
        amount: 2000,
        initial_amount: 2000,
        discount_amount: 380,
        applied_discount_amount: 180,
        subtotal_amount: 1620,
      },
    ]);
  });

  test("with an amount and no price shows no price", () => {
    const [line] = normaliseOrder({ items: [{ amount: 500, quantity: 3 }] }).lines;
    expect(line && renderLineAmounts(line, undefined, {})).toEqual({
      quantity: 3,
      initial_quantity: 3,
      amount: 500,
      initial_amount: 500,
      subtotal_amount: 500,
    });
  });
});

describe("fields that would be 0 are left out one by one", () => {
  const order = normaliseOrder({ items: [{ price: 100, quantity: 2 }, {}] });
  test("an order nothing happened to", () => {
    expect(renderOrderAmounts(order, NOTHING)).toEqual({ amount: 200, initial_amount: 200, total_amount: 200 });
    expect(order.lines.map((line) => renderLineAmounts(line, undefined, {}))).toEqual([
      { quantity: 2, initial_quantity: 2, price: 100, amount: 200, initial_amount: 200, subtotal_amount: 200 },
      { quantity: 1, initial_quantity: 1 },
    ]);
  });

  test("item discounts leave out the order-level fields, and a later step the items' applied ones", () => {
    const items = { discount_amount: 0, lines: [linePart(0, { discount_amount: 30 })] };
    const after = applyPart(order, items);
    expect(renderOrderAmounts(after, items)).toEqual({
      amount: 200,
      initial_amount: 200,
      items_discount_amount: 30,
      total_discount_amount: 30,
      total_amount: 170,
      items_applied_discount_amount: 30,
      total_applied_discount_amount: 30,
    });
    const later = { discount_amount: 10, lines: [] };
    expect(renderOrderAmounts(applyPart(after, later), later)).toEqual({
      amount: 200,
      initial_amount: 200,
      discount_amount: 10,
      items_discount_amount: 30,
      total_discount_amount: 40,
      total_amount: 160,
      applied_discount_amount: 10,
      total_applied_discount_amount: 10,
    });
  });

  test("an order without any price has no money fields", () => {
    expect(renderOrderAmounts(normaliseOrder({ items: [{}] }), NOTHING)).toEqual({});
  });
});

describe("the discount in a result", () => {
  const shown = (discount: Discount, rules = of_a.rules) => {
    const soap: UnitObject = { product: { id: "soap", source_id: "s", name: "Soap", price: 10 }, sku: null };
    const bar: UnitObject = { ...soap, sku: { id: "bar", source_id: "b", sku: "Bar" } };
    const unit_objects = new Map([
      ["soap", soap],
      ["bar", bar],
    ]);
    const [outcome] = decided(
      [aCoupon(aDiscount(discount), { rules })],
      { items: [aLine("a", 1000, 2)] },
      { unit_objects },
    ).outcomes;
    return outcome?.status === "APPLICABLE" && "discount" in outcome.result ? outcome.result.discount : null;
  };
  const per_line = { type: "AMOUNT", amount_off: 1, amount_off_formula: "DEFAULT_TO(ORDER_ITEM_PRICE;3)" } as const;

  test.each`
    discount                                                                             | fields
    ${{ type: "AMOUNT", amount_off: 5 }}                                                 | ${{ effect: "APPLY_TO_ITEMS", amount_off: 5, is_dynamic: false }}
    ${{ type: "AMOUNT", amount_off: 5, amount_off_formula: "ORDER_AMOUNT / 10" }}        | ${{ amount_off: 200, is_dynamic: true }}
    ${{ type: "AMOUNT", amount_off: 5, amount_off_formula: "1 / 0" }}                    | ${{ amount_off: 5, is_dynamic: false }}
    ${{ type: "PERCENT", percent_off: 5, percent_off_formula: "ORDER_AMOUNT + 0.5" }}    | ${{ percent_off: 20.5, is_dynamic: true }}
    ${{ type: "FIXED", fixed_amount: 5, fixed_amount_formula: "7" }}                     | ${{ fixed_amount: 700, is_dynamic: true }}
    ${{ ...per_line, effect: "APPLY_TO_ITEMS" }}                                         | ${{ amount_off: 1, is_dynamic: true }}
    ${{ ...per_line, effect: "APPLY_TO_ITEMS_BY_QUANTITY" }}                             | ${{ amount_off: 1, is_dynamic: true }}
    ${{ ...per_line, effect: "APPLY_TO_ORDER" }}                                         | ${{ amount_off: 300, is_dynamic: true }}
    ${{ ...per_line, effect: "APPLY_TO_ORDER", amount_off_formula: "ORDER_ITEM_PRICE" }} | ${{ amount_off: 1, is_dynamic: false }}
    ${{ ...per_line, effect: "APPLY_TO_ITEMS_PROPORTIONALLY" }}                          | ${{ amount_off: 300, is_dynamic: true }}
    ${{ type: "UNIT", unit_off: 1, unit_type: "soap" }}                                  | ${{ effect: "ADD_MISSING_ITEMS", unit_off: 1, product: { id: "soap", source_id: "s", name: "Soap" }, is_dynamic: false }}
    ${{ type: "UNIT", unit_off: 1, unit_type: "bar", unit_off_formula: "2.5" }}          | ${{ unit_off: 2, sku: { id: "bar", source_id: "b", sku: "Bar" }, is_dynamic: true }}
    ${{ type: "UNIT", units: [{ unit_off: 1, unit_type: "soap", effect: "ADD_NEW_ITEMS" }, { unit_off: 2, unit_type: "bar", effect: "ADD_NEW_ITEMS", unit_off_formula: "3" }] }} | ${{ effect: "ADD_MANY_ITEMS", units: [{ unit_off: 1, effect: "ADD_NEW_ITEMS", product: { id: "soap" } }, { unit_off: 3, sku: { id: "bar" } }], is_dynamic: true }}
  `("of $discount is $fields", ({ discount, fields }) => {
    expect(shown(discount)).toMatchObject(fields);
  });

  test("is what was stored, without what the catalogue knows, where no unit is given", () => {
    expect(shown({ type: "AMOUNT", amount_off: 5 }, [])).toEqual({
      type: "AMOUNT",
      effect: "APPLY_TO_ORDER",
      amount_off: 5,
      is_dynamic: false,
    });
  });

  test("stands there without an order, too", () => {
    for (const order of [null, {}, { items: [{ product_id: "a" }] }]) {
      for (const discount of [amountOff(5), percentOff(5), fixed(5)]) {
        const [outcome] = decided([aCoupon(discount)], order).outcomes;
        expect(outcome).toMatchObject({ status: "APPLICABLE", result: { discount: { is_dynamic: false } } });
      }
    }
  });
});
