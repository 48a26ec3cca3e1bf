import { describe, expect, test } from "vitest";
import { OPERATORS } from "./index.js";
import { ALIASES, isNegative, operatorOf } from "./operator-names.js";
import { aContext, aCustomer, faultOf, holdsFor, leaf, ruleOf } from "./rules.fixtures.js";

describe("equality by JSON type, by canonical text across types", () => {
  test.each`
    operator     | operands            | value             | holds
    ${"$is"}     | ${["gold"]}         | ${"gold"}         | ${true}
    ${"$is"}     | ${["gold"]}         | ${"Gold"}         | ${false}
    ${"$is"}     | ${["gold"]}         | ${" gold"}        | ${false}
    ${"$is"}     | ${"gold"}           | ${"gold"}         | ${true}
    ${"$is"}     | ${[5]}              | ${5}              | ${true}
    ${"$is"}     | ${["5"]}            | ${5}              | ${true}
    ${"$is"}     | ${[5]}              | ${"5"}            | ${true}
    ${"$is"}     | ${[5]}              | ${"5.0"}          | ${false}
    ${"$is"}     | ${["true"]}         | ${true}           | ${true}
    ${"$is"}     | ${[false]}          | ${true}           | ${false}
    ${"$is"}     | ${[{ a: 1, b: 2 }]} | ${{ b: 2, a: 1 }} | ${true}
    ${"$is_not"} | ${["gold"]}         | ${"silver"}       | ${true}
    ${"$is_not"} | ${["gold"]}         | ${"gold"}         | ${false}
    ${"$in"}     | ${["a", "b"]}       | ${"b"}            | ${true}
    ${"$in"}     | ${["a", "b"]}       | ${"c"}            | ${false}
    ${"$not_in"} | ${["a", "b"]}       | ${"b"}            | ${false}
    ${"$not_in"} | ${["a", "b"]}       | ${"c"}            | ${true}
    ${"$is"}     | ${["a"]}            | ${["a", "b"]}     | ${true}
    ${"$is"}     | ${["c"]}            | ${["a", "b"]}     | ${false}
    ${"$in"}     | ${["b", "c"]}       | ${["a", "b"]}     | ${true}
    ${"$is_not"} | ${["a"]}            | ${["a", "b"]}     | ${false}
    ${"$not_in"} | ${["c"]}            | ${["a", "b"]}     | ${true}
    ${"$is"}     | ${["null"]}         | ${[null, "a"]}    | ${false}
    ${"$not_in"} | ${["null"]}         | ${[null, "a"]}    | ${true}
    ${"$is"}     | ${[2 ** 53 - 1]}    | ${2 ** 53 - 1}    | ${true}
    ${"$is"}     | ${[2 ** 53 - 1]}    | ${2 ** 53 - 2}    | ${false}
    ${"$is"}     | ${[0.1]}            | ${"0.1"}          | ${true}
    ${"$is"}     | ${[0]}              | ${false}          | ${false}
    ${"$is"}     | ${[""]}             | ${[]}             | ${false}
    ${"$is_not"} | ${[""]}             | ${[]}             | ${true}
    ${"$is"}     | ${["łódź"]}         | ${"łódź"}         | ${true}
  `("$value $operator $operands: $holds", ({ operator, operands, value, holds }) => {
    expect(holdsFor(operator, operands, value)).toBe(holds);
  });
});

describe("ranges", () => {
  test.each`
    operator                    | operand         | value                     | holds
    ${"$more_than"}             | ${7}            | ${7}                      | ${false}
    ${"$more_than"}             | ${7}            | ${8}                      | ${true}
    ${"$more_than_or_equal"}    | ${7}            | ${7}                      | ${true}
    ${"$less_than"}             | ${7}            | ${6.99}                   | ${true}
    ${"$less_than"}             | ${7}            | ${7}                      | ${false}
    ${"$less_than_or_equal"}    | ${7}            | ${7}                      | ${true}
    ${"$greater_than_or_equal"} | ${7}            | ${7}                      | ${true}
    ${"$more_than_equal"}       | ${7}            | ${6}                      | ${false}
    ${"$greater_than"}          | ${7}            | ${7}                      | ${false}
    ${"$less_than_equal"}       | ${7}            | ${7}                      | ${true}
    ${"$more_than"}             | ${-5}           | ${-4}                     | ${true}
    ${"$more_than"}             | ${"7"}          | ${"10"}                   | ${true}
    ${"$more_than"}             | ${7}            | ${"ten"}                  | ${false}
    ${"$more_than"}             | ${0}            | ${true}                   | ${false}
    ${"$more_than"}             | ${7}            | ${[1, 9]}                 | ${true}
    ${"$more_than"}             | ${"2025-06-01"} | ${"2025-06-02"}           | ${true}
    ${"$more_than"}             | ${"2025-06-01"} | ${"2025-05-31T22:00:00Z"} | ${false}
    ${"$more_than_or_equal"}    | ${"2025-06-01"} | ${"2025-05-31T22:00:00Z"} | ${true}
    ${"$less_than"}             | ${"2025-06-01"} | ${"not a date"}           | ${false}
  `("$value $operator $operand: $holds", ({ operator, operand, value, holds }) => {
    expect(holdsFor(operator, [operand], value)).toBe(holds);
  });

  test("two operators in one condition are joined with and: an open interval", () => {
    const within = (value: number) => holdsFor("$more_than", [7000], value) && holdsFor("$less_than", [9000], value);
    expect([7000, 7001, 8999, 9000].map(within)).toEqual([false, true, true, false]);
  });
});

describe("texts, counts and sets", () => {
  test.each`
    operator            | operands          | value                   | holds
    ${"$starts_with"}   | ${["PL", "DE"]}   | ${"DE-10115"}           | ${true}
    ${"$starts_with"}   | ${["pl"]}         | ${"PL-00"}              | ${false}
    ${"$ends_with"}     | ${["@shop.test"]} | ${"ann@shop.test"}      | ${true}
    ${"$contains"}      | ${["x", "mm"]}    | ${"summer"}             | ${true}
    ${"$contains"}      | ${["mm"]}         | ${["autumn", "summer"]} | ${true}
    ${"$contains"}      | ${["1"]}          | ${123}                  | ${false}
    ${"$count"}         | ${[2]}            | ${["a", "b"]}           | ${true}
    ${"$count_more"}    | ${[2]}            | ${["a", "b"]}           | ${false}
    ${"$count_less"}    | ${["3"]}          | ${["a", "b"]}           | ${true}
    ${"$count_less"}    | ${[2]}            | ${["a", "b"]}           | ${false}
    ${"$count"}         | ${[1]}            | ${"a"}                  | ${false}
    ${"$count"}         | ${[0]}            | ${undefined}            | ${true}
    ${"$count_less"}    | ${[2]}            | ${null}                 | ${true}
    ${"$count_more"}    | ${[0]}            | ${undefined}            | ${false}
    ${"$not_differ"}    | ${["a", "b"]}     | ${["b", "a", "a"]}      | ${true}
    ${"$not_differ"}    | ${["a", "b"]}     | ${["a"]}                | ${false}
    ${"$not_differ"}    | ${["a"]}          | ${["a", "b"]}           | ${false}
    ${"$not_intersect"} | ${["a"]}          | ${["b", "c"]}           | ${true}
    ${"$not_intersect"} | ${["a", "c"]}     | ${["b", "c"]}           | ${false}
    ${"$not_intersect"} | ${["b"]}          | ${"b"}                  | ${false}
  `("$value $operator $operands: $holds", ({ operator, operands, value, holds }) => {
    expect(holdsFor(operator, operands, value)).toBe(holds);
  });
});

const SAMPLE_OPERANDS: Record<string, unknown[]> = {
  $timeframe: ["2025-03-01T08:00:00.000Z;P2D;PT3H"],
  $timeframe_absolute: ["2025-01-01;2026-01-01"],
  $timeframe_daily_hours: ["00:00;23:00;0,1,2,3,4,5,6"],
  $after: ["2020-01-01"],
  $before: ["2030-01-01"],
};

describe.each(OPERATORS.filter((operator) => operator !== "$from").map((operator) => ({ operator })))(
  "$operator",
  ({ operator }) => {
    const operands = SAMPLE_OPERANDS[operator] ?? [1];
    const counted_as_empty = operator === "$count_less";
    const negative = isNegative(operator);

    test("a missing or null value satisfies only what is negative, or counts as an empty array", () => {
      expect(holdsFor(operator, operands, undefined)).toBe(negative || counted_as_empty);
      expect(holdsFor(operator, operands, null)).toBe(negative || counted_as_empty);
    });

    test("a value of a wrong type satisfies only what is negative", () => {
      expect(holdsFor(operator, operands, { nested: "object" })).toBe(negative);
      expect(holdsFor(operator, operands, false)).toBe(negative);
      expect(holdsFor(operator, operands, "some text")).toBe(negative);
    });

    test("an operand that makes no sense is refused or does no harm", () => {
      for (const odd of ["", "x;y;z", {}, [[]], true, -1, 1e300]) {
        const rules = { "1": leaf("custom_event.metadata", { [operator]: [odd] }, { property: "value" }) };
        if (faultOf({ rules }) !== null) continue;
        for (const value of [undefined, "a", 1, ["2025-01-01"], "2025-01-01"]) {
          expect(() => holdsFor(operator, [odd], value)).not.toThrow();
        }
      }
    });
  },
);

test("a list of many operands is no different from a short one", () => {
  const many = Array.from({ length: 300 }, (_none, n) => `code-${n}`);
  expect(["code-0", "code-299", "code-300"].map((value) => holdsFor("$in", many, value))).toEqual([true, true, false]);
  expect(["code-299", "code-300"].map((value) => holdsFor("$not_in", many, value))).toEqual([false, true]);
});

describe("segments are a set", () => {
  test.each`
    operator            | operands                      | holds
    ${"$is"}            | ${["seg_a"]}                  | ${true}
    ${"$is_not"}        | ${[{ id: "seg_a" }]}          | ${false}
    ${"$in"}            | ${["seg_c", { id: "seg_b" }]} | ${true}
    ${"$not_in"}        | ${["seg_c"]}                  | ${true}
    ${"$not_intersect"} | ${["seg_c", "seg_a"]}         | ${false}
    ${"$not_intersect"} | ${["seg_c"]}                  | ${true}
    ${"$not_differ"}    | ${["seg_b", "seg_a"]}         | ${true}
    ${"$not_differ"}    | ${["seg_a"]}                  | ${false}
  `("of seg_a and seg_b, $operator $operands: $holds", ({ operator, operands, holds }) => {
    const rule = ruleOf({ "1": leaf("customer.segment", { [operator]: operands }) });
    const customer = aCustomer({ segments: new Set(["seg_a", "seg_b"]) });
    expect(rule.judge(aContext({ customer })) === null).toBe(holds);
  });
});

describe("a metadata schema types the operands", () => {
  test.each`
    type          | operator        | operand                   | value                          | holds
    ${"number"}   | ${"$is"}        | ${"5.0"}                  | ${5}                           | ${true}
    ${"number"}   | ${"$in"}        | ${"05"}                   | ${5}                           | ${true}
    ${null}       | ${"$is"}        | ${"5.0"}                  | ${5}                           | ${false}
    ${"boolean"}  | ${"$is"}        | ${"true"}                 | ${true}                        | ${true}
    ${"string"}   | ${"$is"}        | ${5}                      | ${"5"}                         | ${true}
    ${"datetime"} | ${"$is"}        | ${"2025-06-10"}           | ${"2025-06-09T22:30:00Z"}      | ${true}
    ${"datetime"} | ${"$is"}        | ${"2025-06-10"}           | ${"2025-06-10T22:30:00Z"}      | ${false}
    ${"datetime"} | ${"$is"}        | ${"2025-06-10T10:00:00Z"} | ${"2025-06-10T12:00:00+02:00"} | ${true}
    ${"datetime"} | ${"$is_not"}    | ${"2025-06-10"}           | ${"2025-06-10T12:00"}          | ${false}
    ${null}       | ${"$is"}        | ${"2025-06-10"}           | ${"2025-06-10T12:00"}          | ${false}
    ${"date"}     | ${"$less_than"} | ${"2025-06-10"}           | ${"2025-06-09"}                | ${true}
  `("$type: $value $operator $operand is $holds", ({ type, operator, operand, value, holds }) => {
    const environment = { metadata_type: () => type };
    expect(holdsFor(operator, [operand], value, { environment })).toBe(holds);
  });
});

test("aliases stand for operators and are kept as written", () => {
  for (const [alias, operator] of Object.entries(ALIASES)) expect(operatorOf(alias)).toBe(operator);
  expect(operatorOf("$about")).toBeNull();
  expect(operatorOf("toString")).toBeNull();
});
