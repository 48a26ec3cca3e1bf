import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRule, faultOfSentRule } from "./index.js";
import { faultOf, leaf, ruleOf } from "./rules.fixtures.js";

const atLeast = (amount: number, more: object = {}) => leaf("order.amount", { $more_than_or_equal: [amount] }, more);

describe("definition errors", () => {
  const deep = (levels: number): object =>
    levels === 0 ? atLeast(1) : atLeast(1, { rules: { "1": deep(levels - 1) } });
  const beneath = (rules: object) => ({ "1": atLeast(1), "2": atLeast(1, { rules }) });
  const outer = "Property .rules.2.rules";
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
    ${{ "1": atLeast(1), logic: "0" }}                              | ${"Invalid logic '0'"}
    ${{ "1": atLeast(1), logic: 1 }}                                | ${null}
    ${{ "1": atLeast(1), logic: null }}                             | ${null}
    ${{ "1": atLeast(1), logic: ["1"] }}                            | ${"Property .rules.logic must be a string"}
    ${{ "1": atLeast(1), logic: { toString: 1 } }}                  | ${"Property .rules.logic must be a string"}
    ${{ logic: "1" }}                                               | ${"Invalid logic '1'"}
    ${{ "1": atLeast(1), "3": atLeast(1) }}                         | ${"Property .rules must be numbered from 1 without gaps"}
    ${{ "1": atLeast(1), extra: atLeast(1) }}                       | ${"Property .rules must be numbered from 1 without gaps"}
    ${{ "1": 5 }}                                                   | ${"Property .rules.1 must be an object"}
    ${"1 and 2"}                                                    | ${"Property .rules must be an object"}
    ${[]}                                                           | ${"Property .rules must be an object"}
    ${{ "1": deep(9) }}                                             | ${null}
    ${{ "1": deep(10) }}                                            | ${`Property .rules${".1.rules".repeat(10)} must not be nested deeper than 10 levels`}
    ${beneath({ "1": leaf("order.x", {}) })}                        | ${"Rule 'order.x' is not supported"}
    ${beneath({ "2": atLeast(1) })}                                 | ${`${outer} must be numbered from 1 without gaps`}
    ${beneath({ "1": leaf("order.amount", []) })}                   | ${`${outer}.1.conditions must be an object`}
    ${beneath({ "1": atLeast(1), logic: {} })}                      | ${`${outer}.logic must be a string`}
  `("$rules: $details", ({ rules, details }) => expect(faultOf({ rules })).toBe(details));

  // The texts of rules.md §1 do not say where; the path does.
  test.each`
    rules                                                           | path
    ${beneath({ "1": leaf("order.metadata", { $is: ["x"] }) })}     | ${"rules.2.rules.1.property"}
    ${beneath({ "1": leaf("order.x", {}) })}                        | ${"rules.2.rules.1.name"}
    ${beneath({ "1": leaf("order.amount", { $about: [1] }) })}      | ${"rules.2.rules.1.conditions.$about"}
    ${beneath({ "1": leaf("order.amount", { $is: [] }) })}          | ${"rules.2.rules.1.conditions.$is"}
    ${beneath({ "1": atLeast(1), logic: "1 or 2" })}                | ${"rules.2.rules.logic"}
    ${beneath({ "1": leaf("order.amount", { $contains: ["1"] }) })} | ${"rules.2.rules.1.conditions.$contains"}
  `("$rules is wrong at $path", ({ rules, path }) => {
    expect(compileRule({ id: "val_1", rules })).toMatchObject({ fault: { key: "invalid_validation_rules", path } });
  });

  test.each`
    applicable_to                                                                                      | details
    ${{ included: [{ object: "product" }] }}                                                           | ${".included[0].id is required"}
    ${{ excluded: [{ id: "p" }, {}] }}                                                                 | ${".excluded[1].id is required"}
    ${{ included: [{ id: "p", object: "pony" }] }}                                                     | ${".included[0].object must be one of product, sku, products_collection"}
    ${{ included: [{ id: "p", skip_initially: -1 }] }}                                                 | ${".included[0].skip_initially must be >= 0"}
    ${{ included: [{ id: "p", repeat: 0 }] }}                                                          | ${".included[0].repeat must be >= 1"}
    ${{ included: [{ id: "p", amount_limit: 0 }] }}                                                    | ${".included[0].amount_limit must be >= 1"}
    ${{ included: [{ id: "p", price: -1 }] }}                                                          | ${".included[0].price must be >= 0"}
    ${{ included: [{ id: "p", effect: "APPLY_TO_CHEAPEST" }, { id: "q", effect: "APPLY_TO_PONIES" }] }} | ${".included[1].effect must be one of APPLY_TO_EVERY, APPLY_TO_CHEAPEST, APPLY_FROM_CHEAPEST, APPLY_TO_MOST_EXPENSIVE, APPLY_FROM_MOST_EXPENSIVE"}
    ${{ included: { data: [{ id: "p", price_formula: "1 +" }] } }}                                     | ${".included[0].price_formula is no formula: the formula ends where a value should be at position 3"}
    ${{ included: Array.from({ length: 17 }, () => ({ id: "p", price_formula: "1".padEnd(4_000) })) }} | ${".included[16].price_formula is one of formulas of more than 65536 characters together"}
    ${{ included: ["prod_1"] }}                                                                        | ${".included[0] must be an object"}
    ${{ included: "prod_1" }}                                                                          | ${".included must be an array"}
    ${{ included: [{ source_id: "later", quantity_limit: null }] }}                                    | ${null}
    ${null}                                                                                            | ${null}
  `("applicable_to $applicable_to: $details", ({ applicable_to, details }) =>
    expect(faultOf({ applicable_to })).toBe(details && `Property .applicable_to${details}`),
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
    ${bundled({}, 101)}                             | ${".limit must be an integer from 1 to 100"}
    ${bundled(quantity(0))}                         | ${".1.rules must hold nothing but order.items.aggregated_quantity with a whole number of at least 1 in '$is'"}
    ${bundled({ conditions: { $in: ["prod_a"] } })} | ${".1.conditions must name exactly one object in '$is'"}
    ${bundled({ name: "order.items.every" })}       | ${".1.name must be order.items.any in a bundle"}
    ${bundled({ name: { toString: 1 } })}           | ${".1.name must be order.items.any in a bundle"}
    ${"1"}                                          | ${" must be an object"}
    ${{ "2": {} }}                                  | ${" must be numbered from 1 without gaps"}
    ${{}}                                           | ${null}
  `("bundle_rules $bundle_rules: $details", ({ bundle_rules, details }) =>
    expect(faultOf({ bundle_rules })).toBe(details && `Property .bundle_rules${details}`),
  );

  const pen = { object: "product", id: "prod_pen" };
  const naming = (operand: unknown, more: object = {}) => ({
    bundle_rules: { "1": leaf("order.items.any", { $is: [operand] }), ...more },
  });
  const right = { ...pen, type: "product_or_sku" };
  const entry = (more: object) => ({ applicable_to: { included: [pen, { ...pen, ...more }] } });
  const at = "Property .applicable_to.included[1]";
  test.each`
    definition                                                              | details
    ${entry({ target: "UNIT", strict: true, price_formula: null })}         | ${null}
    ${entry({ target: null, strict: null })}                                | ${null}
    ${entry({ target: "X" })}                                               | ${`${at}.target must be one of ITEM, UNIT`}
    ${entry({ target: "unit" })}                                            | ${`${at}.target must be one of ITEM, UNIT`}
    ${entry({ strict: "x" })}                                               | ${`${at}.strict must be boolean`}
    ${entry({ price_formula: "" })}                                         | ${`${at}.price_formula is no formula: it is empty`}
    ${entry({ product_campaign_quantity_limit_formula: "" })}               | ${`${at}.product_campaign_quantity_limit_formula is no formula: it is empty`}
    ${{ applicable_to: { excluded: { data: [{ ...pen, strict: 1 }] } } }}   | ${"Property .applicable_to.excluded[0].strict must be boolean"}
    ${{ bundle_rules: {} }}                                                 | ${null}
    ${naming(right, { limit: null })}                                       | ${null}
    ${{ bundle_rules: { limit: 3 } }}                                       | ${"Property .bundle_rules must have at least one rule"}
    ${naming(right, { logic: "1" })}                                        | ${"Property .bundle_rules.logic must not be given: every rule of a bundle must be met"}
    ${naming(pen)}                                                          | ${"Property .bundle_rules.1.conditions.$is[0].type must be one of product_or_sku, products_collection"}
    ${naming({ ...right, object: undefined, type: "products_collection" })} | ${"Property .bundle_rules.1.conditions.$is[0].object must be one of products_collection, product, sku"}
    ${naming({ ...right, id: undefined, source_id: "pen" })}                | ${"Property .bundle_rules.1.conditions.$is[0].id is required"}
  `("$definition: $details, though it is read where it was stored before", ({ definition, details }) => {
    expect(faultOfSentRule(definition)?.details ?? null).toBe(details);
    expect(faultOf(definition)).toBeNull();
  });

  test("anything at all is either compiled or refused", () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, json, json, (rules, bundle_rules, applicable_to) => {
        expect(() => faultOf({ rules: { "1": rules }, bundle_rules, applicable_to })).not.toThrow();
        expect(() => faultOfSentRule({ bundle_rules, applicable_to })).not.toThrow();
        expect(() =>
          faultOf({ rules: { "1": leaf("order.items.any", { $is: rules }, { rules: bundle_rules }) } }),
        ).not.toThrow();
      }),
    );
  });
});

test.each([
  ["a price", { price_formula: 'PUBLICATION_METADATA("k")' }, true],
  ["a budget", { product_campaign_quantity_limit_formula: 'PUBLICATION_METADATA("k")' }, true],
  ["nothing", { price: 1, price_formula: "ORDER_ITEM_PRICE - 1.5" }, false],
])("a rule knows that %s of it is computed from the publication", (_, fields, reads_publication) => {
  const included = [{ id: "pen" }, { id: "cap", ...fields }];
  expect(ruleOf(null, { applicable_to: { included } })).toMatchObject({ reads_publication });
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

describe("what applicable_to names", () => {
  const pen = { object: "product", id: "prod_pen" };
  test.each([
    ["a list", [pen]],
    ["one entry", pen],
    ["the list object that responses wrap it in", { object: "list", data_ref: "data", data: [pen], total: 1 }],
  ])("may be written as %s", (_name, written) => {
    const { applicable_to } = ruleOf(null, { applicable_to: { included: written, excluded: written } });
    expect(applicable_to).toMatchObject({ included: [{ id: "prod_pen" }], excluded: [{ id: "prod_pen" }] });
  });

  test.each([
    [{ included: {} }, "applicable_to.included[0].id"],
    [{ excluded: { data: 7 } }, "applicable_to.excluded[0].id"],
    [{ included: [pen, "prod_pen"] }, "applicable_to.included[1]"],
    [{ excluded: "prod_pen" }, "applicable_to.excluded"],
  ])("is refused where it names nothing, with its path: %j", (applicable_to, path) => {
    expect(faultOf({ applicable_to })).toContain(`Property .${path} `);
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
