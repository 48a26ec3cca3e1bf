import { describe, expect, test } from "vitest";
import { normaliseOrder } from "./normalise.js";
import type { OrderInput } from "./order.js";
import { checkOrder } from "./order-fault.js";
import { applyPart, linePart, NOTHING, removePart, totalAmount } from "./part.js";
import { renderLineAmounts, renderOrderAmounts, renderRolledBackAmounts } from "./render.js";

describe("prices and amounts of a line", () => {
  const catalogue = { catalogue_sku: { price: 4 }, catalogue_product: { price: 5 } };
  const nested = { sku: { price: 2 }, product: { price: 3 } };
  test.each`
    line                                       | price        | amount
    ${{ price: 1, ...nested, ...catalogue }}   | ${1}         | ${1}
    ${{ ...nested, ...catalogue }}             | ${2}         | ${2}
    ${{ product: { price: 3 }, ...catalogue }} | ${3}         | ${3}
    ${catalogue}                               | ${4}         | ${4}
    ${{ catalogue_product: { price: 5 } }}     | ${5}         | ${5}
    ${{}}                                      | ${undefined} | ${undefined}
    ${{ price: 10, quantity: 3 }}              | ${10}        | ${30}
    ${{ price: 10, quantity: 3, amount: 25 }}  | ${10}        | ${25}
    ${{ amount: 25, quantity: 3 }}             | ${undefined} | ${25}
    ${{ price: 10, quantity: 0 }}              | ${10}        | ${0}
    ${{ price: 10, quantity: 0, amount: 7 }}   | ${10}        | ${0}
    ${{ price: 0 }}                            | ${0}         | ${0}
  `("$line: price $price, amount $amount", ({ line, price, amount }) => {
    expect(normaliseOrder({ items: [line] }).lines[0]).toMatchObject({ price, amount });
  });
});

test.each`
  order                                       | amount
  ${{ items: [{ price: 10 }, { price: 5 }] }} | ${15}
  ${{ items: [{ price: 10 }, {}] }}           | ${10}
  ${{ items: [{ price: 10 }], amount: 7 }}    | ${7}
  ${{ items: [{ price: 10 }], amount: 0 }}    | ${0}
  ${{ items: [{}] }}                          | ${undefined}
  ${{}}                                       | ${undefined}
`("the amount of $order is $amount", ({ order, amount }) => {
  expect(normaliseOrder(order)).toMatchObject({ amount, initial_amount: amount });
});

describe("who a line is", () => {
  test.each`
    line                                                                            | identity
    ${{ source_id: "s", related_object: "sku" }}                                    | ${[null, null, null, "s"]}
    ${{ source_id: "s", related_object: "product" }}                                | ${[null, "s", null, null]}
    ${{ source_id: "s" }}                                                           | ${[null, "s", null, null]}
    ${{ product: { source_id: "p" }, sku: { id: "k" } }}                            | ${[null, "p", "k", null]}
    ${{ sku_id: "k", catalogue_sku: { id: "k", source_id: "s", product_id: "p" } }} | ${["p", null, "k", "s"]}
  `("$line", ({ line, identity }) => {
    const [{ product_id, product_source_id, sku_id, sku_source_id }] = normaliseOrder({ items: [line] }).lines as [
      never,
    ];
    expect([product_id, product_source_id, sku_id, sku_source_id]).toEqual(identity);
  });

  test("metadata of the request wins over the catalogue, the SKU's over the product's", () => {
    const line = {
      product: { metadata: { a: 3 } },
      catalogue_sku: { metadata: { a: 2, b: 2 } },
      catalogue_product: { metadata: { a: 1, b: 1, c: 1 } },
    };
    expect(normaliseOrder({ items: [line] }).lines[0]?.product_metadata).toEqual({ a: 3, b: 2, c: 1 });
  });
});

describe("a stored order", () => {
  test("starts from its earlier discounts, which are not applied now", () => {
    const stored = normaliseOrder({ amount: 30000, initial_amount: 30000, discount_amount: 26000 });
    const part = { discount_amount: 4000, lines: [] };
    expect(renderOrderAmounts(applyPart(stored, part), part)).toEqual({
      amount: 30000,
      initial_amount: 30000,
      discount_amount: 30000,
      total_discount_amount: 30000,
      total_amount: 0,
      applied_discount_amount: 4000,
      total_applied_discount_amount: 4000,
    });
  });

  test("whose amount was lowered keeps no more discount than it is worth", () => {
    const items = [
      { price: 100, discount_amount: 80 },
      { price: 100, discount_amount: 80 },
    ];
    const order = normaliseOrder({ items, amount: 100, discount_amount: 50 });
    expect(order.lines.map((line) => line.discount_amount)).toEqual([80, 20]);
    expect(totalAmount(order)).toBe(0);
  });
});

describe("fields that would be 0 are left out one by one", () => {
  const order = normaliseOrder({ items: [{ price: 100, quantity: 2 }, {}] });
  test("an order nothing happened to", () => {
    expect(renderOrderAmounts(order, NOTHING)).toEqual({ amount: 200, initial_amount: 200, total_amount: 200 });
    expect(order.lines.map((line) => renderLineAmounts(line))).toEqual([
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

describe("orders that cannot be computed", () => {
  test.each`
    order                                                     | fault
    ${{ amount: 0, items: [] }}                               | ${null}
    ${{ amount: -1 }}                                         | ${"invalid_amount"}
    ${{ amount: 1.5 }}                                        | ${"invalid_amount"}
    ${{ items: [{ price: 1, quantity: -1 }] }}                | ${"items[0].quantity"}
    ${{ items: [{ price: 1 }, { price: 1, quantity: 0.5 }] }} | ${"items[1].quantity"}
    ${{ items: [{ sku: { price: -4 } }] }}                    | ${"items[0].price"}
    ${{ items: [{ price: 2 ** 52 }, { price: 2 ** 52 }] }}    | ${"items[1].amount"}
    ${{ items: Array.from({ length: 501 }, () => ({})) }}     | ${"items"}
  `("$fault", ({ order, fault }) => {
    const found = checkOrder(order);
    expect(found && (found.key === "invalid_amount" ? found.key : found.path)).toBe(fault);
  });
});
