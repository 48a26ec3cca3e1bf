import { describe, expect, test } from "vitest";
import { compileFilter, plainField } from "./index.js";
import { readProperty } from "./properties.js";
import { aContext, aProductLine, faultOf, leaf, ruleOf } from "./rules.fixtures.js";

const atLeast = (amount: number, more: object = {}) => leaf("order.amount", { $more_than_or_equal: [amount] }, more);
const tooMany = (field: string) => `Property .${field} must not ask for more than 10000 comparisons`;

describe("what a rule may cost is bounded", () => {
  const repeated = (times: number) => Array(times).fill("1").join(" and ");

  test("a leaf counts as often as logic names it, and multiplies with what is around it", () => {
    const twice = (outer: number, inner: number) => ({
      rules: { "1": atLeast(1, { rules: { "1": atLeast(1), logic: repeated(inner) } }), logic: repeated(outer) },
    });
    expect(faultOf(twice(60, 60))).toBeNull();
    expect(faultOf(twice(60, 90))).toBe(tooMany("rules.logic"));
    const nested = (levels: number): object =>
      levels === 0 ? atLeast(1) : atLeast(1, { rules: { "1": nested(levels - 1), logic: repeated(2000) } });
    expect(faultOf({ rules: { "1": nested(3) } })).toBe(tooMany("rules.1.rules.1.rules.logic"));
  });

  test("logic is bounded in length, and a refusal does not repeat it whole", () => {
    const logic = `1${" or 1".repeat(10_000)}`;
    const details = faultOf({ rules: { "1": atLeast(1), logic } }) ?? "";
    expect(details).toMatch(/^Invalid logic '1 or 1 /);
    expect(details.length).toBeLessThan(300);
    const spaced = `${" ".repeat(100_000)}1 and 1${" ".repeat(100_000)}`;
    expect(faultOf({ rules: { "1": atLeast(1), logic: spaced } })).toMatch(/^Invalid logic/);
  });

  test("each operand is a comparison", () => {
    const ids = (count: number) => Array.from({ length: count }, (_none, n) => `prod_${n}`);
    expect(faultOf({ rules: { "1": leaf("product.id", { $in: ids(9_000) }) } })).toBeNull();
    expect(faultOf({ rules: { "1": leaf("product.id", { $in: ids(10_000) }) } })).toBe(tooMany("rules.logic"));
  });

  test("leaves are bounded, also those that logic does not name", () => {
    const leaves = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_none, n) => [String(n + 1), atLeast(1)]));
    expect(faultOf({ rules: { ...leaves(1000), logic: "1" } })).toBeNull();
    expect(faultOf({ rules: { ...leaves(1001), logic: "1" } })).toBe(
      "Property .rules.1001 is one of more than 1000 rules",
    );
  });

  test("a path longer than can be read at all finds nothing, in formulas too, and is refused in filters", () => {
    const long = "a.".repeat(500);
    expect(readProperty({ [`${long}`]: 1 }, long)).toBe(1);
    expect(readProperty({ [`${long}b`]: 1 }, `${long}b`)).toBeUndefined();
    const compiled = compileFilter({ [`${long}b`]: { conditions: { $is: 1 } } }, plainField);
    expect(compiled).toMatchObject({
      fault: { details: expect.stringMatching(/^Property \.filter\.a\..* must not be longer than 1000 characters$/) },
    });
  });

  test("a property is as long as a path that can be read", () => {
    const of = (length: number) => ({
      rules: { "1": leaf("order.metadata", { $is: [1] }, { property: "a".repeat(length) }) },
    });
    expect(faultOf(of(1000))).toBeNull();
    expect(faultOf(of(1001))).toBe("Property .rules.1.property must not be longer than 1000 characters");
  });
});

describe("item rules nested in item rules", () => {
  const items = Array.from({ length: 500 }, (_none, n) => aProductLine(`prod_${n}`, n));
  // Each level looks for one line that satisfies a rule of its own and the whole of the next level.
  const nested = (levels: number, price: number): object =>
    leaf(
      "order.items.any",
      { $from: ["pc_all"] },
      {
        rules: {
          "1": levels === 0 ? atLeast(0) : nested(levels - 1, price),
          "2": leaf("order.items.price", { $is: [price] }),
        },
      },
    );

  test.each`
    price  | outcome
    ${499} | ${null}
    ${500} | ${{ key: "order_rules_violated" }}
  `("look at each line a few times, whatever their depth: price $price", ({ price, outcome }) => {
    let looks = 0;
    const in_collection = () => {
      looks += 1;
      if (looks > 100_000) throw new Error("lines are looked at again and again");
      return true;
    };
    const context = aContext({ order: { items }, in_collection });
    const rule = ruleOf({ "1": nested(7, price) });
    expect(rule.judge(context)).toEqual(outcome);
    expect(rule.explain(context).holds).toBe(outcome === null);
  });
});
