import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countBundle } from "../discounts/bundle.js";
import type { RuleContext, Scenario } from "../rules/contract.js";
import type { ValidationRule } from "../rules/index.js";
import { aContext, aCustomer, leaf, noon, ruleOf } from "../rules/rules.fixtures.js";
import { allOf, cartFacts, createQualificationIndex, duringDates, type Predicates, predicatesOf } from "./index.js";

interface Promotion {
  start_date: number | null;
  expiration_date: number | null;
  rules: ValidationRule[];
}

const collections: Record<string, string[]> = { pc_1: ["prod_1", "prod_2"], pc_2: ["prod_3"], pc_3: [] };

const predicatesFor = ({ start_date, expiration_date, rules }: Promotion, scenario: Scenario | null): Predicates =>
  allOf([duringDates(start_date, expiration_date), ...rules.map((rule) => predicatesOf(rule, scenario))]);

const factsOf = (context: RuleContext) => {
  const lines = context.order?.lines ?? [];
  const held = Object.keys(collections).filter((id) => lines.some((line) => context.in_collection(id, line)));
  return cartFacts(context, held);
};

/** The oracle: every promotion judged in full. */
const applies = ({ start_date, expiration_date, rules }: Promotion, context: RuleContext) =>
  (start_date ?? noon) <= context.instant &&
  (expiration_date ?? noon) >= context.instant &&
  rules.every((rule) => rule.judge(context) === null && hasBundle(rule, context));

const hasBundle = ({ bundle }: ValidationRule, { order, scenario, in_collection }: RuleContext) =>
  bundle === null ||
  (scenario !== null && scenario !== "ALL") ||
  countBundle(bundle, order?.lines ?? [], in_collection).quantity > 0;

const product = fc.constantFrom("prod_1", "prod_2", "prod_3", "prod_4");
const item = fc.oneof(
  product.map((id) => ({ object: "product", id })),
  fc.constantFrom("shirt", "mug").map((source_id) => ({ object: "product", source_id })),
  fc.constantFrom("sku_1", "sku_2").map((id) => ({ object: "sku", id })),
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
const asConditions = (...pairs: [string, unknown][]) => Object.fromEntries(pairs);

const simpleLeaf: fc.Arbitrary<{ name: string; conditions: object; rules?: unknown }> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("order.amount", "order.initial_amount", "order.items.count", "order.items.price_any"),
      range,
      range,
    )
    .map(([name, a, b]) => leaf(name, asConditions(a, b))),
  fc
    .tuple(
      fc.constantFrom("customer.segment", "customer.loyalty_tier"),
      fc.constantFrom("$in", "$not_in"),
      fc.subarray(["a", "b", "c"], { minLength: 1 }),
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
);

const itemLeaf = fc
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

const ruleTree = fc
  .tuple(
    fc.array(fc.oneof(simpleLeaf, itemLeaf), { minLength: 1, maxLength: 4 }),
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
const promotion: fc.Arbitrary<Promotion> = fc.record({
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
  price: fc.constantFrom(undefined, 1, 500, 1000, 4000),
  quantity: fc.constantFrom(0, 1, 2, 3),
  metadata: fc.constantFrom({}, { color: "red" }, { color: ["blue", 5] }),
  product: fc.constantFrom(undefined, { metadata: { color: true } }),
});
const metadata = fc.constantFrom({}, { color: "red" }, { color: 5 }, { color: [true, "blue"] });
const group = fc.subarray(["a", "b", "c"]).map((ids) => new Set(ids));
const scenario = fc.constantFrom<Scenario | null>(null, "ALL", "AUDIENCE_ONLY", "PRODUCTS", "PRODUCTS_BY_CUSTOMER");
const cart = fc.record({
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

const edit = fc.tuple(
  fc.integer({ min: 0, max: 11 }).map((n) => `promo_${n}`),
  fc.option(promotion, { freq: 4 }),
);

describe("the index and brute force", () => {
  test("agree over random rules, carts, scenarios and edits", () => {
    fc.assert(
      fc.property(
        scenario,
        fc.array(edit, { maxLength: 30 }),
        fc.array(cart, { minLength: 1, maxLength: 4 }),
        (under, edits, carts) => {
          const index = createQualificationIndex();
          const kept = new Map<string, Promotion>();
          const check = (situation: (typeof carts)[number]) => {
            const context = aContext({ ...situation, scenario: under });
            const candidates = index.candidates(factsOf(context));
            expect(new Set(candidates).size).toBe(candidates.length);
            const found = candidates.filter((id) => applies(kept.get(id) as Promotion, context));
            const expected = [...kept].filter(([, one]) => applies(one, context)).map(([id]) => id);
            expect(found.sort()).toEqual(expected.sort());
          };
          edits.forEach(([id, one], i) => {
            if (one === null) {
              expect(index.remove(id)).toBe(kept.delete(id));
            } else {
              index.put(id, predicatesFor(one, under));
              kept.set(id, one);
            }
            expect(index.size).toBe(kept.size);
            check(carts[i % carts.length] as (typeof carts)[number]);
          });
          for (const situation of carts) check(situation);
          for (const id of kept.keys()) index.remove(id);
          expect(index.candidates(factsOf(aContext(carts[0])))).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("what a rule lets the index know", () => {
  const known = (rules: object, under: Scenario | null = null) =>
    predicatesOf(ruleOf(rules), under).map(({ clauses, bounds }) => ({
      clauses: clauses.map((clause) => clause.map(({ family, value }) => `${family} ${value}`)),
      bounds: bounds.filter(Number.isFinite),
    }));
  const segment = (...ids: string[]) => leaf("customer.segment", { $in: ids });
  const mug = leaf("order.items.any", { $is: [{ object: "product", id: "prod_mug", source_id: "mug" }] });

  test("equalities are clauses, bounds are ranges", () => {
    const rules = {
      "1": segment("a", "b"),
      "2": mug,
      "3": leaf("order.initial_amount", { $more_than: [10], $less_than: [20] }),
    };
    expect(known(rules)).toEqual([
      {
        clauses: [
          ["customer.segment a", "customer.segment b"],
          ["product.id prod_mug", "product.source_id mug"],
        ],
        bounds: [10, 20],
      },
    ]);
  });

  test("an or of equalities is one clause, any other or an alternative each", () => {
    expect(known({ "1": segment("a"), "2": mug, logic: "1 or 2" })).toEqual([
      { clauses: [["customer.segment a", "product.id prod_mug", "product.source_id mug"]], bounds: [] },
    ]);
    const dear = leaf("order.initial_amount", { $more_than: [10] });
    expect(known({ "1": segment("a"), "2": dear, logic: "1 or 2" })).toHaveLength(2);
  });

  test("what says nothing cheap counts as true", () => {
    const anything = [{ clauses: [], bounds: [] }];
    expect(known({ "1": leaf("customer.segment", { $is_not: ["a"] }) })).toEqual(anything);
    expect(
      known({ "1": segment("a"), "2": leaf("redemption.count.daily", { $less_than: [5] }), logic: "1 or 2" }),
    ).toEqual(anything);
    expect(known({ "1": segment("a"), "2": leaf("redemption.count.daily", { $less_than: [5] }) })).toHaveLength(1);
  });

  test("a scenario's omitted leaves count as true", () => {
    const rules = { "1": segment("a"), "2": leaf("order.amount", { $more_than: [10] }) };
    expect(known(rules)).toEqual([{ clauses: [["customer.segment a"]], bounds: [10] }]);
    expect(known(rules, "ALL")).toEqual([{ clauses: [["customer.segment a"]], bounds: [] }]);
    expect(known(rules, "PRODUCTS")).toEqual([{ clauses: [], bounds: [] }]);
  });

  test("bounds that cannot both hold mean never", () => {
    expect(known({ "1": leaf("order.items.count", { $more_than: [10], $less_than: [5] }) })).toEqual([]);
  });
});
