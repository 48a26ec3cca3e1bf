import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countBundle } from "../discounts/bundle.js";
import type { RuleContext, Scenario } from "../rules/contract.js";
import type { ValidationRule } from "../rules/index.js";
import { aContext, aCustomer, leaf, noon, ruleOf } from "../rules/rules.fixtures.js";
import { allOf, cartFacts, createQualificationIndex, duringDates, type Predicates, predicatesOf } from "./index.js";
import {
  cart,
  collections,
  itemLeaf,
  nestedLeaf,
  type Promotion,
  promotion,
  scenario,
  simpleLeaf,
} from "./random.fixtures.js";

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

const COMPLETE_BUNDLES: readonly Scenario[] = ["ALL", "CUSTOMER_WALLET", "PROMOTION_STACKS"];

const hasBundle = ({ bundle }: ValidationRule, { order, scenario, in_collection }: RuleContext) =>
  bundle === null ||
  (scenario !== null && !COMPLETE_BUNDLES.includes(scenario)) ||
  countBundle(bundle, order?.lines ?? [], in_collection).quantity > 0;

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

// Rules of many leaves seldom hold; one leaf at a time, every kind of atom and bound gets carts that have it.
describe("a cart that satisfies a single leaf finds it", () => {
  const finds = (rule: ValidationRule, context: RuleContext) => {
    const index = createQualificationIndex();
    index.put("promo", predicatesOf(rule, context.scenario));
    return index.candidates(factsOf(context)).length === 1;
  };
  test.each([
    ["simple", simpleLeaf, 6000],
    ["item", itemLeaf, 3000],
    ["nested", nestedLeaf, 2000],
  ] as const)("%s leaves", (_name, leaves, numRuns) => {
    fc.assert(
      fc.property(leaves, cart, scenario, (one, situation, under) => {
        const rule = ruleOf({ "1": one });
        const context = aContext({ ...situation, scenario: under });
        if (rule.holds(context)) expect(finds(rule, context)).toBe(true);
      }),
      { numRuns },
    );
  });

  test.each`
    name                          | conditions                                            | more                     | situation
    ${"order.amount"}             | ${{ $is: [1000] }}                                    | ${{}}                    | ${{ order: { amount: 1000 } }}
    ${"order.amount"}             | ${{ $is: ["1000"] }}                                  | ${{}}                    | ${{ order: { amount: 1000 } }}
    ${"order.amount"}             | ${{ $less_than_or_equal: [0] }}                       | ${{}}                    | ${{ order: { amount: 0 } }}
    ${"order.amount"}             | ${{ $in: [5, 1000] }}                                 | ${{}}                    | ${{ order: { amount: 1000 } }}
    ${"order.initial_amount"}     | ${{ $is: [2 ** 53 - 1] }}                             | ${{}}                    | ${{ order: { amount: 2 ** 53 - 1 } }}
    ${"order.initial_amount"}     | ${{ $more_than_or_equal: [1000] }}                    | ${{}}                    | ${{ order: { amount: 1000, discount_amount: 400 } }}
    ${"order.items.count"}        | ${{ $is: [3] }}                                       | ${{}}                    | ${{ order: { items: [{ quantity: 3 }] } }}
    ${"customer.loyalty.tier"}    | ${{ $is: [{ id: "a" }] }}                             | ${{}}                    | ${{ customer: aCustomer({ loyalty_tiers: new Set(["a"]) }) }}
    ${"redemption.metadata"}      | ${{ $is: ["app"] }}                                   | ${{ property: "via" }}   | ${{ metadata: { via: "app" } }}
    ${"customer.metadata"}        | ${{ $is: [1] }}                                       | ${{ property: "a.b" }}   | ${{ customer: aCustomer({ metadata: { a: { b: 1 } } }) }}
    ${"order.metadata"}           | ${{ $is: [{ b: 1, a: 2 }] }}                          | ${{ property: "o" }}     | ${{ order: { metadata: { o: { a: 2, b: 1 } } } }}
    ${"product.metadata"}         | ${{ $in: ["red"] }}                                   | ${{ property: "color" }} | ${{ order: { items: [{}, { product: { metadata: { color: "red" } } }] } }}
    ${"order.items.metadata_any"} | ${{ $is: ["red"] }}                                   | ${{ property: "color" }} | ${{ order: { items: [{}, { metadata: { color: "red" } }] } }}
    ${"sku.id"}                   | ${{ $is: [{ source_id: "shirt-s" }] }}                | ${{}}                    | ${{ order: { items: [{ sku: { source_id: "shirt-s" } }] } }}
    ${"order.items.any"}          | ${{ $is: [{ object: "product", source_id: "mug" }] }} | ${{}}                    | ${{ order: { items: [{ source_id: "mug", related_object: "product" }] } }}
    ${"order.items.cheapest"}     | ${{ $from: ["pc_2"] }}                                | ${{}}                    | ${{ order: { items: [{ product_id: "prod_3", price: 5 }] }, collections }}
  `("$name $conditions, for example", ({ name, conditions, more, situation }) => {
    const rule = ruleOf({ "1": leaf(name, conditions, more) });
    expect(rule.holds(aContext(situation))).toBe(true);
    expect(finds(rule, aContext(situation))).toBe(true);
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
