import { describe, expect, test } from "vitest";
import { normaliseOrder } from "./normalise.js";
import { checkOrder } from "./order-fault.js";
import { applyPart, totalAmount } from "./part.js";
import { renderOrderAmounts } from "./render.js";

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
    ${{ product_id: "p" }}                                                          | ${["p", "p", null, null]}
    ${{ product_id: "p", sku_id: "k" }}                                             | ${["p", "p", "k", "k"]}
    ${{ sku_id: "k", source_id: "s", related_object: "sku" }}                       | ${[null, null, "k", "s"]}
    ${{ product_id: "p", product: { id: "p" }, sku_id: "k", sku: { id: "k" } }}     | ${["p", null, "k", null]}
    ${{ product_id: "p", catalogue_product: { id: "p", source_id: null } }}         | ${["p", null, null, null]}
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

describe("the snapshot before any discount", () => {
  test("has the amount, the quantities and the amounts of the lines", () => {
    const order = normaliseOrder({ items: [{ price: 10, quantity: 3, amount: 25 }, { price: 5 }, {}] });
    expect(order.initial_amount).toBe(30);
    expect(order.lines.map((line) => [line.initial_quantity, line.initial_amount])).toEqual([
      [3, 25],
      [1, 5],
      [1, undefined],
    ]);
  });

  test("of a stored order is the stored one", () => {
    const items = [{ price: 10, quantity: 3, initial_quantity: 1, initial_amount: 10 }];
    const order = normaliseOrder({ items, amount: 30, initial_amount: 10 });
    expect(order).toMatchObject({ amount: 30, initial_amount: 10 });
    expect(order.lines[0]).toMatchObject({ quantity: 3, initial_quantity: 1, initial_amount: 10 });
  });
});

describe("a stored order", () => {
  test("brings the discounts of its items and the units it got free", () => {
    const order = normaliseOrder({ items: [{ price: 100, quantity: 2, discount_amount: 30, discount_quantity: 1 }] });
    expect(order.lines[0]).toMatchObject({ discount_amount: 30, discount_quantity: 1 });
    expect(totalAmount(order)).toBe(170);
  });

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
    ${{ items: Array.from({ length: 501 }, () => ({})) }}     | ${null}
    ${{ amount: 2 ** 53 }}                                    | ${"invalid_amount"}
    ${{ amount: 2 ** 53 - 1 }}                                | ${null}
    ${{ items: [{ price: 2 ** 53 - 1 }] }}                    | ${null}
    ${{ items: [{ price: 2 ** 52, quantity: 2 }] }}           | ${"items[0].amount"}
    ${{ items: [{ amount: Number.NaN }] }}                    | ${"items[0].amount"}
    ${{ items: [{ catalogue_product: { price: -4 } }] }}      | ${"items[0].price"}
  `("$fault", ({ order, fault }) => {
    const found = checkOrder(order);
    expect(found && (found.key === "invalid_amount" ? found.key : found.path)).toBe(fault);
  });
});
