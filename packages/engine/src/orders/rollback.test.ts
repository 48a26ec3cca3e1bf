import { describe, expect, test } from "vitest";
import { normaliseOrder } from "./normalise.js";
import type { OrderInput } from "./order.js";
import { applyPart, linePart, removePart, totalAmount } from "./part.js";
import { renderRolledBackAmounts } from "./render.js";

describe("a rollback", () => {
  const cart: OrderInput = { items: [{ product_id: "a", price: 100, quantity: 2 }], metadata: { a: 1 } };
  const order = normaliseOrder(cart);
  const items = { discount_amount: 0, lines: [linePart(0, { discount_amount: 30 })] };
  const gift = {
    discount_amount: 5,
    lines: [
      linePart(1, {
        discount_amount: 50,
        discount_quantity: 1,
        quantity: 1,
        quantity_amount: 50,
        created: { product_id: "b", price: 50 },
      }),
    ],
  };
  const both = applyPart(applyPart(order, items), gift);

  test("takes away one redemption and leaves the other", () => {
    const left = removePart(both, gift);
    expect(left).toEqual(applyPart(order, items));
    expect(renderRolledBackAmounts(left)).toMatchObject({ amount: 200, items_discount_amount: 30, total_amount: 170 });
  });

  test("of everything leaves the amount only", () => {
    expect(renderRolledBackAmounts(removePart(removePart(both, items), gift))).toEqual({
      amount: 200,
      total_amount: 200,
    });
  });

  test("of an order that was edited since takes nothing below zero", () => {
    const edited = normaliseOrder({ items: [{ price: 10 }] });
    expect(removePart(edited, gift)).toEqual(edited);
    expect(totalAmount(removePart({ ...both, amount: 60 }, gift))).toBeGreaterThanOrEqual(0);
  });
});
