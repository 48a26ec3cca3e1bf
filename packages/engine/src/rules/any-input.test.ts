import fc from "fast-check";
import { expect, test } from "vitest";
import type { Scenario } from "./contract.js";
import { compileRule, OPERATORS, RULE_NAMES } from "./index.js";
import { aContext, aCustomer, aProductLine, leaf } from "./rules.fixtures.js";

const odd = fc.constantFrom<unknown>(0, -1, 1, 2 ** 53, 1e308, "", "1", "1e400", "a", true, [], [1], { id: "prod_1" });
const dates = fc.constantFrom<unknown>("2025-01-01", "2025-06-10T10:00:00Z", "2024-02-30");
const windows = fc.constantFrom<unknown>("2025-01-01;P1D;PT1H", "2025-01-01;2026-01-01", "09:00;10:00;1");
const collection = fc.constant<unknown>({ id: "pc_1", object: "products_collection" });
const operand = fc.oneof(odd, dates, windows, collection, fc.jsonValue({ maxDepth: 1 }));
const metadata = fc.dictionary(fc.constantFrom("p", "p.q", "q"), fc.oneof(operand, fc.jsonValue({ maxDepth: 3 })));

const metadata_names = RULE_NAMES.filter((name) => name.includes("metadata"));
const leafOf = (nested: fc.Arbitrary<object | undefined>) =>
  fc
    .tuple(
      fc.oneof(fc.constantFrom(...RULE_NAMES), fc.constantFrom(...metadata_names)),
      fc.oneof(fc.constantFrom(...OPERATORS), fc.constantFrom("$is", "$not_in")),
      fc.oneof(
        { weight: 3, arbitrary: fc.tuple(operand) },
        { weight: 1, arbitrary: fc.array(operand, { minLength: 1, maxLength: 3 }) },
      ),
      nested,
    )
    .map(([name, operator, operands, inner]) =>
      leaf(name, { [operator]: operands }, { property: "p", ...(inner && { rules: { "1": inner } }) }),
    );
const simple = leafOf(fc.constant(undefined));
const anyLeaf = fc.oneof(simple, leafOf(simple));

// A reader, an operator or a path that throws would answer 500 to whoever shops with an odd cart.
test("whatever stands in a rule and in a cart: refused by its path, or judged, and explained the same way", () => {
  const scenarios = fc.constantFrom<Scenario | null>(null, "ALL", "AUDIENCE_ONLY", "PRODUCTS");
  let judged = 0;
  fc.assert(
    fc.property(
      anyLeaf,
      metadata,
      scenarios,
      fc.boolean(),
      fc.option(fc.nat(5000)),
      (one, m, scenario, known, discount) => {
        const compiled = compileRule({ id: "val_1", rules: { "1": one } });
        if ("fault" in compiled) {
          expect(compiled.fault.path).toMatch(/^rules\.1(\.|$)/);
          return;
        }
        judged += 1;
        const items = [aProductLine("prod_1", 5, 2, { metadata: m, product: { metadata: m } }), {}];
        const context = aContext({
          scenario,
          discount,
          metadata: m,
          event_metadata: m,
          customer: known ? aCustomer({ metadata: m }) : null,
          order: known ? { metadata: m, items } : null,
        });
        const holds = compiled.rule.judge(context) === null;
        expect(compiled.rule.holds(context)).toBe(holds);
        expect(compiled.rule.explain(context).holds).toBe(holds);
      },
    ),
    { numRuns: 3000 },
  );
  expect(judged).toBeGreaterThan(500);
});
