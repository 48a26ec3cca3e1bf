import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { faultOf, leaf, ruleOf } from "./rules.fixtures.js";

const atLeast = (amount: number, more: object = {}) => leaf("order.amount", { $more_than_or_equal: [amount] }, more);

describe("definition errors", () => {
  const deep = (levels: number): object =>
    levels === 0 ? atLeast(1) : atLeast(1, { rules: { "1": deep(levels - 1) } });
  test.each`
    rules                                                           | details
    ${{ "1": leaf("customer.metadata", { $is: ["x"] }) }}           | ${"Rule 'customer.metadata' must have a 'property'"}
    ${{ "1": leaf("product.metadata.match_all", { $is: [true] }) }} | ${"Rule 'product.metadata.match_all' must have a 'property'"}
    ${{ "1": leaf("redemption.metadata.", { $is: ["x"] }) }}        | ${"Rule 'redemption.metadata.' must have a 'property'"}
    ${{ "1": leaf("customer.shoe_size", { $is: [46] }) }}           | ${"Rule 'customer.shoe_size' is not supported"}
    ${{ "1": leaf("constructor", { $is: [46] }) }}                  | ${"Rule 'constructor' is not supported"}
    ${{ "1": leaf("order.amount", { $about: [46] }) }}              | ${"Condition '$about' is not supported"}
    ${{ "1": leaf("order.amount", { $is: [] }) }}                   | ${"Condition '$is' must be a non-empty array"}
    ${{ "1": leaf("order.amount", { $is: null }) }}                 | ${"Condition '$is' must be a non-empty array"}
    ${{ "1": leaf("order.amount", { $is: 46 }) }}                   | ${null}
    ${{ "1": atLeast(1), logic: "1 and 2" }}                        | ${"Invalid logic '1 and 2'"}
    ${{ "1": atLeast(1), logic: "1 and" }}                          | ${"Invalid logic '1 and'"}
    ${{ logic: "1" }}                                               | ${"Invalid logic '1'"}
    ${{ "1": atLeast(1), "3": atLeast(1) }}                         | ${"Rules must be numbered from 1 without gaps"}
    ${{ "1": atLeast(1), extra: atLeast(1) }}                       | ${"Rules must be numbered from 1 without gaps"}
    ${{ "1": 5 }}                                                   | ${"Rule 1 must be an object"}
    ${"1 and 2"}                                                    | ${"Rules must be an object"}
    ${{ "1": deep(9) }}                                             | ${null}
    ${{ "1": deep(10) }}                                            | ${"Rules must not be nested deeper than 10 levels"}
    ${{ "1": atLeast(1, { rules: { "1": leaf("order.x", {}) } }) }} | ${"Rule 'order.x' is not supported"}
  `("$rules: $details", ({ rules, details }) => expect(faultOf({ rules })).toBe(details));

  test.each`
    applicable_to                                                   | details
    ${{ included: [{ object: "product" }] }}                        | ${"An entry of applicable_to must have an 'id'"}
    ${{ included: [{ id: "p", object: "pony" }] }}                  | ${"Property .object of applicable_to is not supported"}
    ${{ included: [{ id: "p", skip_initially: -1 }] }}              | ${"Property .skip_initially of applicable_to must be >= 0"}
    ${{ included: [{ id: "p", repeat: 0 }] }}                       | ${"Property .repeat of applicable_to must be >= 1"}
    ${{ included: [{ id: "p", amount_limit: 0 }] }}                 | ${"Property .amount_limit of applicable_to must be >= 1"}
    ${{ included: [{ id: "p", effect: "APPLY_TO_PONIES" }] }}       | ${"Effect 'APPLY_TO_PONIES' is not supported"}
    ${{ included: [{ id: "p", price_formula: "1 +" }] }}            | ${"Property .price_formula of applicable_to: the formula ends where a value should be at position 3"}
    ${{ included: [{ source_id: "later", quantity_limit: null }] }} | ${null}
    ${null}                                                         | ${null}
  `("applicable_to $applicable_to: $details", ({ applicable_to, details }) =>
    expect(faultOf({ applicable_to })).toBe(details),
  );

  const bundled = (more: object = {}, limit: unknown = 1) => ({
    limit,
    "1": {
      name: "order.items.any",
      conditions: { $is: [{ id: "prod_a", object: "product", type: "product_or_sku" }] },
      ...more,
    },
  });
  const quantity = (n: unknown) => ({ rules: { "1": leaf("order.items.aggregated_quantity", { $is: [n] }) } });
  test.each`
    bundle_rules                                    | details
    ${bundled()}                                    | ${null}
    ${bundled(quantity(2), null)}                   | ${null}
    ${bundled({}, 101)}                             | ${"Bundle limit must be an integer between 1 and 100"}
    ${bundled(quantity(0))}                         | ${"A bundle rule must have a quantity of at least 1"}
    ${bundled({ conditions: { $in: ["prod_a"] } })} | ${"A bundle rule must name exactly one object in '$is'"}
    ${bundled({ name: "order.items.every" })}       | ${"Rule 'order.items.every' is not supported in a bundle"}
    ${{ "2": {} }}                                  | ${"Bundle rules must be numbered from 1 without gaps"}
    ${{}}                                           | ${null}
  `("bundle_rules $bundle_rules: $details", ({ bundle_rules, details }) =>
    expect(faultOf({ bundle_rules })).toBe(details),
  );

  test("anything at all is either compiled or refused", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, json, json, (rules, bundle_rules, applicable_to) => {
        expect(() => faultOf({ rules: { "1": rules }, bundle_rules, applicable_to })).not.toThrow();
        expect(() =>
          faultOf({ rules: { "1": leaf("order.items.any", { $is: rules }, { rules: bundle_rules }) } }),
        ).not.toThrow();
      }),
    );
  });
});

test("applicable_to with its defaults, its budgets and its formula", () => {
  const { applicable_to } = ruleOf(null, {
    applicable_to: {
      included: [
        {
          id: "pc_1",
          object: "products_collection",
          price_formula: "ORDER_ITEM_PRICE - 1.5",
          product_in_collection_customer_campaign_quantity_limit: 3,
          product_promotion_tier_quantity_limit_formula: "1 + 1",
        },
      ],
      excluded: [{ object: "sku", source_id: "x", strict: true }],
      included_all: true,
    },
  });
  expect(applicable_to).toMatchObject({
    included: [
      {
        object: "products_collection",
        effect: "APPLY_TO_EVERY",
        target: "ITEM",
        skip_initially: 0,
        repeat: 1,
        quantity_limit: null,
        price_formula: { reads_line: true },
        budgets: [
          { scope: "campaign", per_customer: true, each_product: true, limit: 3, formula: null },
          {
            scope: "promotion_tier",
            per_customer: false,
            each_product: false,
            limit: null,
            formula: { text: "1 + 1" },
          },
        ],
      },
    ],
    excluded: [{ object: "sku", id: null, source_id: "x", strict: true }],
    included_all: true,
  });
});

test("bundle rules as the counting of bundles wants them", () => {
  const { bundle, fallback_message } = ruleOf(null, {
    bundle_rules: {
      limit: 5,
      "1": leaf("order.items.any", { $is: [{ id: "sku_a", object: "sku", type: "product_or_sku" }] }),
      "2": leaf(
        "order.items.any",
        { $is: [{ id: "pc_b", object: "products_collection" }] },
        {
          rules: { "1": leaf("order.items.aggregated_quantity", { $is: [3] }), logic: "1" },
        },
      ),
    },
    error: { message: "Bring the whole set" },
  });
  expect(bundle).toMatchObject({
    limit: 5,
    conditions: [
      { item: { object: "sku", id: "sku_a" }, quantity: 1 },
      { item: { object: "products_collection", id: "pc_b" }, quantity: 3 },
    ],
  });
  expect(fallback_message).toBe("Bring the whole set");
});
