import fc from "fast-check";
import { type Scenario, scenarios } from "../rules/contract.js";
import type { ValidationRule } from "../rules/index.js";
import { aCustomer, leaf, noon, ruleOf } from "../rules/rules.fixtures.js";

/** What the index and the oracle know of a promotion. */
export interface Promotion {
  start_date: number | null;
  expiration_date: number | null;
  rules: ValidationRule[];
}

/** Products by collection. */
export const collections: Record<string, string[]> = { pc_1: ["prod_1", "prod_2"], pc_2: ["prod_3"], pc_3: [] };

const product = fc.constantFrom("prod_1", "prod_2", "prod_3", "prod_4");
const item = fc.oneof(
  product.map((id) => ({ object: "product", id })),
  fc.constantFrom("shirt", "mug").map((source_id) => ({ object: "product", source_id })),
  fc.constantFrom("sku_1", "sku_2").map((id) => ({ object: "sku", id })),
  fc.constantFrom("shirt-s", "shirt-m").map((source_id) => ({ object: "sku", source_id })),
  fc.constantFrom("pc_1", "pc_2", "pc_3").map((id) => ({ object: "products_collection", id })),
);
const operand = fc.oneof(item, fc.constantFrom("prod_1", "sku_1", "pc_1"));
const items = fc.array(operand, { minLength: 1, maxLength: 3 });
const number = fc.constantFrom(0, 1, 2, 3, 5, 100, 1000, 1001, 4000, 65_536);
const word = fc.constantFrom("red", "blue", "5", "true");
const property = { property: "color" };
const equality = fc.tuple(
  fc.constantFrom("$is", "$in", "$is_not", "$not_in"),
  fc.uniqueArray(fc.oneof(word, fc.constant(5), fc.constant(true)), { minLength: 1, maxLength: 2 }),
);
const range = fc.tuple(
  fc.constantFrom("$more_than", "$more_than_or_equal", "$less_than", "$less_than_or_equal", "$is"),
  number.map((n) => [n]),
);
// A list longer than a few is looked up in another way.
const MANY = ["d", "e", "f", "g", "h", "i", "j", "k"];
const asConditions = (...pairs: [string, unknown][]) => Object.fromEntries(pairs);

export const simpleLeaf: fc.Arbitrary<{ name: string; conditions: object; rules?: unknown }> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("order.amount", "order.initial_amount", "order.items.count", "order.items.price_any"),
      range,
      range,
    )
    .map(([name, a, b]) => leaf(name, asConditions(a, b))),
  fc
    .tuple(
      fc.constantFrom("customer.segment", "customer.loyalty_tier", "customer.loyalty.tier"),
      fc.constantFrom("$in", "$not_in", "$not_intersect", "$not_differ"),
      fc.subarray(["a", "b", "c", ...MANY], { minLength: 1 }),
    )
    .map(([name, operator, operands]) => leaf(name, { [operator]: operands })),
  fc
    .tuple(
      fc.constantFrom(
        "customer.metadata",
        "order.metadata",
        "redemption.metadata",
        "order.items.metadata_any",
        "order.items.metadata_each",
        "product.metadata",
      ),
      equality,
    )
    .map(([name, condition]) => leaf(name, asConditions(condition), property)),
  fc
    .tuple(
      fc.constantFrom("customer.metadata", "order.metadata", "order.items.metadata_any", "product.metadata"),
      fc.constantFrom<[string, unknown[]]>(
        ["$contains", ["e"]],
        ["$starts_with", ["r", "b"]],
        ["$count", [2]],
        ["$count_less", [1]],
        ["$more_than", [4]],
        ["$not_intersect", ["red"]],
        ["$not_differ", ["blue", 5]],
      ),
      equality,
    )
    .map(([name, other, condition]) => leaf(name, asConditions(other, condition), property)),
  fc
    .tuple(fc.constantFrom("redemption.count.daily", "order.total_amount"), number)
    .map(([name, n]) => leaf(name, { $less_than: [n] })),
);

export const itemLeaf = fc
  .tuple(
    fc.constantFrom(
      "order.items.any",
      "order.items.every",
      "order.items.none",
      "order.items.cheapest",
      "order.items.most_expensive",
      "product.id",
      "sku.id",
    ),
    fc.constantFrom("$is", "$in", "$is_not", "$from"),
    items,
    fc.option(simpleLeaf, { nil: undefined }),
  )
  .map(([name, operator, operands, nested]) =>
    leaf(name, { [operator]: operands }, nested && { rules: { "1": nested } }),
  );

/** What is asked of a single matched line or of all of them, and rules of any kind beneath a rule. */
const lineLeaf = fc
  .tuple(fc.constantFrom("order.items.price", "order.items.quantity", "order.items.aggregated_amount"), range)
  .map(([name, condition]) => leaf(name, asConditions(condition)));
export const nestedLeaf = fc
  .tuple(
    fc.oneof(simpleLeaf, itemLeaf),
    fc.oneof(simpleLeaf, itemLeaf, lineLeaf),
    fc.oneof(itemLeaf, lineLeaf),
    fc.constantFrom("and", "or"),
  )
  .map(([outer, one, other, join]) => ({ ...outer, rules: { "1": one, "2": other, logic: `1 ${join} 2` } }));

const ruleTree = fc
  .tuple(
    fc.array(fc.oneof(simpleLeaf, itemLeaf, nestedLeaf), { minLength: 1, maxLength: 4 }),
    fc.constantFrom("and", "or", "mixed"),
  )
  .map(([leaves, join]) => {
    const rules = Object.fromEntries(leaves.map((one, i) => [String(i + 1), one]));
    const numbers = leaves.map((_leaf, i) => i + 1);
    const logic =
      join === "mixed"
        ? numbers
            .map((n) => (n % 2 ? `${n} or` : `${n} and`))
            .join(" ")
            .replace(/ (or|and)$/, "")
        : numbers.join(` ${join} `);
    return { ...rules, logic };
  });

const bundle = fc.option(
  item.map((one) => ({ "1": leaf("order.items.any", { $is: [one] }) })),
  { nil: undefined, freq: 4 },
);
const date = fc.option(
  fc.integer({ min: -3, max: 3 }).map((days) => noon + days * 86_400_000),
  { freq: 2 },
);
export const promotion: fc.Arbitrary<Promotion> = fc.record({
  start_date: date,
  expiration_date: date,
  rules: fc.array(
    fc.tuple(ruleTree, bundle).map(([rules, bundle_rules]) => ruleOf(rules, { bundle_rules })),
    { maxLength: 2 },
  ),
});

const line = fc.record({
  product_id: fc.option(product, { nil: undefined }),
  source_id: fc.constantFrom(undefined, "shirt", "mug"),
  sku_id: fc.constantFrom(undefined, "sku_1", "sku_2"),
  sku: fc.constantFrom(undefined, { source_id: "shirt-s" }, { metadata: { color: "blue" } }),
  price: fc.constantFrom(undefined, 1, 500, 1000, 4000),
  quantity: fc.constantFrom(0, 1, 2, 3),
  metadata: fc.constantFrom({}, { color: "red" }, { color: ["blue", 5] }, { color: null }),
  product: fc.constantFrom(undefined, { metadata: { color: true } }),
});
const metadata = fc.constantFrom({}, { color: "red" }, { color: 5 }, { color: [true, "blue"] }, { color: [null] });
const group = fc.subarray(["a", "b", "c", "k"]).map((ids) => new Set(ids));
export const scenario = fc.constantFrom<Scenario | null>(null, ...scenarios);
export const cart = fc.record({
  collections: fc.constant(collections),
  instant: fc.integer({ min: -4, max: 4 }).map((days) => noon + days * 86_400_000),
  metadata,
  customer: fc.option(fc.record({ metadata, segments: group, loyalty_tiers: group }).map(aCustomer)),
  order: fc.option(
    fc.record({
      amount: fc.option(number, { nil: undefined }),
      discount_amount: fc.constantFrom(0, 1),
      items: fc.array(line, { maxLength: 3 }),
      metadata,
    }),
  ),
});
