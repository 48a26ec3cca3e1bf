import { describe, expect, test } from "vitest";
import { aContext, aCustomer, noon } from "../rules/rules.fixtures.js";
import { cartFacts } from "./index.js";

const context = aContext({
  metadata: { channel: ["app", 5] },
  customer: aCustomer({ metadata: { plan: true }, segments: new Set(["seg_a"]), loyalty_tiers: new Set(["ltr_a"]) }),
  order: {
    metadata: { note: { a: 1 } },
    discount_amount: 300,
    items: [
      {
        product_id: "prod_a",
        sku_id: "sku_a",
        price: 1000,
        quantity: 2,
        metadata: { color: "red" },
        product: { metadata: { color: "blue", size: "S" } },
      },
      { source_id: "cup", related_object: "product", price: 100, quantity: 1 },
      { product_id: "prod_gone", price: 100, quantity: 0 },
    ],
  },
});

describe("a cart as the index sees it", () => {
  test.each`
    family                           | values
    ${"customer.segment"}            | ${["seg_a"]}
    ${"customer.loyalty_tier"}       | ${["ltr_a"]}
    ${"collection"}                  | ${["pc_a"]}
    ${"product.id"}                  | ${["prod_a"]}
    ${"product.source_id"}           | ${["prod_a", "cup"]}
    ${"sku.id"}                      | ${["sku_a"]}
    ${"sku.source_id"}               | ${["sku_a"]}
    ${"customer.metadata.plan"}      | ${["true"]}
    ${"customer.metadata.absent"}    | ${[]}
    ${"order.metadata.note"}         | ${['{"a":1}']}
    ${"redemption.metadata.channel"} | ${["app", "5"]}
    ${"product.metadata.color"}      | ${["blue"]}
    ${"order.items.metadata.color"}  | ${["red"]}
    ${"order.items.metadata.size"}   | ${["S"]}
  `("$family: $values", ({ family, values }) => {
    expect([...cartFacts(context, ["pc_a"]).values(family)]).toEqual(values);
  });

  test("its numbers are the instant, the amount before and after discounts, and the units", () => {
    expect(cartFacts(context, []).numbers).toEqual([noon, 2100, 1800, 3]);
  });

  test("what it does not have is below every bound", () => {
    const empty = cartFacts(aContext(), []);
    expect(empty.numbers).toEqual([noon, -Infinity, -Infinity, -Infinity]);
    expect([...empty.values("customer.segment"), ...empty.values("order.metadata.note")]).toEqual([]);
    expect(cartFacts(aContext({ order: { items: [{ quantity: 2 }] } }), []).numbers.slice(1)).toEqual([
      -Infinity,
      -Infinity,
      2,
    ]);
  });
});
