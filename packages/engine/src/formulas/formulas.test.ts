import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FormulaOperands } from "../discounts/formula.contract.js";
import { aCustomer, anOrder, operandsOf } from "./formulas.fixtures.js";
import { FORMULA_LIMITS, parseFormula } from "./index.js";

function evaluated(text: string, operands: Partial<FormulaOperands> = {}): string | null {
  const parsed = parseFormula(text);
  if ("fault" in parsed) return `${parsed.fault.key} at ${parsed.fault.position}`;
  return parsed.formula.evaluate(operandsOf(operands))?.toString() ?? null;
}

const truth = (condition: string, operands: Partial<FormulaOperands> = {}) =>
  evaluated(`IF(${condition};1;0)`, operands);

describe("arithmetic on exact decimals", () => {
  test.each`
    formula                      | value
    ${"1 + 2 * 3"}               | ${"7"}
    ${"(1 + 2) * 3"}             | ${"9"}
    ${"10 - 4 - 3"}              | ${"3"}
    ${"-2 + 5"}                  | ${"3"}
    ${"-(2 + 5)"}                | ${"-7"}
    ${"7 % 4"}                   | ${"3"}
    ${"0.1 + 0.2"}               | ${"0.3"}
    ${".5 * 4"}                  | ${"2"}
    ${"1 / 8"}                   | ${"0.125"}
    ${"2 x 3 × 4 ÷ 8"}           | ${"3"}
    ${"2x3"}                     | ${"6"}
    ${"1 / 0"}                   | ${null}
    ${"1 % 0"}                   | ${null}
    ${"0 / 0"}                   | ${null}
    ${"POW(10;60) * POW(10;60)"} | ${null}
    ${"FLOOR(10 / 3 * 3)"}       | ${"10"}
    ${"9".repeat(200)}           | ${null}
    ${`1 + ${"9".repeat(200)}`}  | ${null}
    ${"0.1e1"}                   | ${"unexpected_token at 3"}
    ${"1."}                      | ${"unexpected_character at 1"}
    ${"0 - 5"}                   | ${"-5"}
    ${"-7 % 4"}                  | ${"-3"}
    ${"2 * -3"}                  | ${"-6"}
    ${"9007199254740991 + 1"}    | ${"9007199254740992"}
    ${'1 + "1"'}                 | ${null}
    ${'"text"'}                  | ${null}
    ${"1 = 1"}                   | ${null}
  `("$formula = $value", ({ formula, value }) => expect(evaluated(formula)).toBe(value));
});

describe("functions", () => {
  test.each`
    formula                                                                 | value
    ${"ROUND(2.345;2)"}                                                     | ${"2.35"}
    ${"FLOOR(2.349;2)"}                                                     | ${"2.34"}
    ${"CEIL(41.2;-1)"}                                                      | ${"50"}
    ${"ROUND(1245;-1)"}                                                     | ${"1250"}
    ${"ROUND(2.5)"}                                                         | ${"3"}
    ${"FLOOR(2.9)"}                                                         | ${"2"}
    ${"CEIL(2.1;0)"}                                                        | ${"3"}
    ${"ROUND(2.345;0.5)"}                                                   | ${null}
    ${"ROUND(2.5;30)"}                                                      | ${"2.5"}
    ${"ROUND(2.345;99)"}                                                    | ${null}
    ${"MIN(3;1;2)"}                                                         | ${"1"}
    ${"MAX(3;1;2)"}                                                         | ${"3"}
    ${"MAX(7)"}                                                             | ${"7"}
    ${"MAX(3;ORDER_AMOUNT)"}                                                | ${null}
    ${"POW(2;10)"}                                                          | ${"1024"}
    ${"POW(9;0.5)"}                                                         | ${"3"}
    ${"POW(-1;0.5)"}                                                        | ${null}
    ${"POW(2;100000)"}                                                      | ${null}
    ${"POW(2;-2)"}                                                          | ${"0.25"}
    ${"POW(0;-1)"}                                                          | ${null}
    ${"POW(10;101)"}                                                        | ${null}
    ${"POW(10;-200)"}                                                       | ${"0"}
    ${"POW(1.5;ORDER_AMOUNT)"}                                              | ${null}
    ${`MAX(1;${"9".repeat(200)})`}                                          | ${null}
    ${`MIN(1;${"9".repeat(200)})`}                                          | ${null}
    ${'ROUND("1")'}                                                         | ${null}
    ${"ROUND(1;ORDER_AMOUNT)"}                                              | ${null}
    ${"IF(1 > 2;10;20)"}                                                    | ${"20"}
    ${"IF(1;10;20)"}                                                        | ${null}
    ${"IF(ORDER_AMOUNT > 1;10;20)"}                                         | ${null}
    ${"IF(1 < 2;10;1/0)"}                                                   | ${"10"}
    ${"DEFAULT_TO(ORDER_AMOUNT;5)"}                                         | ${"5"}
    ${"DEFAULT_TO(ORDER_AMOUNT;1/0;6;7)"}                                   | ${"6"}
    ${"SWITCH(2;SWITCH_CASE(1;10) SWITCH_CASE(2;20) SWITCH_CASE(2;21);30)"} | ${"20"}
    ${"SWITCH(3;SWITCH_CASE(1;10) SWITCH_CASE(2;20) 30)"}                   | ${"30"}
    ${'SWITCH("a";SWITCH_CASE("b";1) SWITCH_CASE("a";2);3)'}                | ${"2"}
    ${"SWITCH(ORDER_AMOUNT;SWITCH_CASE(1;10);30)"}                          | ${null}
    ${"SWITCH(1;SWITCH_CASE(ORDER_AMOUNT;10);30)"}                          | ${"30"}
  `("$formula = $value", ({ formula, value }) => expect(evaluated(formula)).toBe(value));
});

describe("comparisons", () => {
  test.each`
    condition                          | holds
    ${"2 > 1"}                         | ${"1"}
    ${"2 < 1"}                         | ${"0"}
    ${"2 >= 2"}                        | ${"1"}
    ${"2 <= 1"}                        | ${"0"}
    ${"1/3*3 = 1"}                     | ${"1"}
    ${'2 = "2"'}                       | ${null}
    ${'2 is "2"'}                      | ${"0"}
    ${'2 isNot "2"'}                   | ${"1"}
    ${'"2" > 1'}                       | ${null}
    ${'"Ab" is "Ab"'}                  | ${"1"}
    ${'"Ab" is "ab"'}                  | ${"0"}
    ${'"AND" is "AND" AND "x" is "x"'} | ${"1"}
    ${'"summer sale" contains "sale"'} | ${"1"}
    ${'"summer" startsWith "sum"'}     | ${"1"}
    ${'"summer" endsWith "sum"'}       | ${"0"}
    ${'"b" IN_ARRAY "a, b,c"'}         | ${"1"}
    ${'"b" NOT_IN_ARRAY "a,b"'}        | ${"0"}
    ${'2 IN_ARRAY "1,2.0"'}            | ${"1"}
    ${"(1 < 2) is (3 < 4)"}            | ${"1"}
    ${"1 > 2 OR 3 > 2 AND 1 = 1"}      | ${"1"}
    ${"1 > 2 AND ORDER_AMOUNT > 1"}    | ${"0"}
    ${"1 < 2 OR ORDER_AMOUNT > 1"}     | ${"1"}
    ${"1 < 2 AND ORDER_AMOUNT > 1"}    | ${null}
    ${"1 > 2 OR ORDER_AMOUNT > 1"}     | ${null}
    ${"1 OR 1 = 1"}                    | ${"1"}
    ${"1 AND 1 = 1"}                   | ${null}
    ${'ORDER_AMOUNT is "a"'}           | ${null}
  `("$condition: $holds", ({ condition, holds }) => expect(truth(condition)).toBe(holds));

  test.each`
    value              | contained
    ${["red", "blue"]} | ${"1"}
    ${["green"]}       | ${"0"}
    ${"dark red"}      | ${"1"}
    ${7}               | ${null}
    ${{ red: true }}   | ${null}
  `("metadata $value contains red: $contained", ({ value, contained }) => {
    const order = anOrder(100, [], { colors: value });
    expect(truth('ORDER_METADATA("colors") contains "red"', { order })).toBe(contained);
  });
});

describe("metadata keeps its JSON type", () => {
  const operands = {
    customer: aCustomer({ plan: "gold", age: 30, vip: true, payment: { method: "card" }, nothing: null }),
    redeemable_metadata: { bonus: 5 },
    redemption_metadata: { bonus: 6 },
    publication_metadata: { bonus: 7 },
    event_metadata: { bonus: 8 },
  };
  test.each`
    formula                                                    | value
    ${'CUSTOMER_METADATA("age") + 1'}                          | ${"31"}
    ${'CUSTOMER_METADATA("plan") + 1'}                         | ${null}
    ${'CUSTOMER_METADATA("vip") + 1'}                          | ${null}
    ${'CUSTOMER_METADATA("nothing") + 1'}                      | ${null}
    ${'CUSTOMER_METADATA("absent") + 1'}                       | ${null}
    ${'CUSTOMER_METADATA("constructor")'}                      | ${null}
    ${'IF(CUSTOMER_METADATA("vip");1;2)'}                      | ${"1"}
    ${'IF(CUSTOMER_METADATA("payment.method") is "card";1;2)'} | ${"1"}
    ${'REDEEMABLE_METADATA("bonus")'}                          | ${"5"}
    ${'REDEMPTION_METADATA("bonus")'}                          | ${"6"}
    ${'PUBLICATION_METADATA("bonus")'}                         | ${"7"}
    ${'CUSTOM_EVENT_METADATA("bonus")'}                        | ${"8"}
    ${'ORDER_METADATA("bonus")'}                               | ${null}
    ${"CUSTOMER_METADATA(1)"}                                  | ${null}
  `("$formula = $value", ({ formula, value }) => expect(evaluated(formula, operands)).toBe(value));
});

describe("a text that is no formula tells where", () => {
  test.each`
    formula                 | fault
    ${""}                   | ${"unexpected_end at 0"}
    ${"1 +"}                | ${"unexpected_end at 3"}
    ${"1 2"}                | ${"unexpected_token at 2"}
    ${"(1 + 2"}             | ${"unexpected_end at 6"}
    ${"1 < 2 < 3"}          | ${"unexpected_token at 6"}
    ${"1 + $"}              | ${"unexpected_character at 4"}
    ${'IF(1 is "a;1;2)'}    | ${"unterminated_text at 8"}
    ${"FOO + 1"}            | ${"unknown_name at 0"}
    ${"order_amount"}       | ${"unknown_name at 0"}
    ${"constructor"}        | ${"unknown_name at 0"}
    ${"MIN"}                | ${"unexpected_end at 3"}
    ${"ORDER_METADATA + 1"} | ${"unexpected_token at 15"}
    ${"IF(1;2)"}            | ${"wrong_argument_count at 0"}
    ${"POW(1;2;3)"}         | ${"wrong_argument_count at 0"}
    ${"MIN(1,2)"}           | ${"unexpected_character at 5"}
    ${"SWITCH(1;2)"}        | ${"unexpected_token at 9"}
    ${"--1"}                | ${"unexpected_token at 1"}
    ${"1 AND"}              | ${"unexpected_end at 5"}
  `("$formula: $fault", ({ formula, fault }) => expect(evaluated(formula)).toBe(fault));

  test("length, depth and work are bounded", () => {
    expect(evaluated("1".repeat(FORMULA_LIMITS.length_max + 1))).toBe("too_long at 4000");
    expect(evaluated(`${"(".repeat(200)}1${")".repeat(200)}`)).toMatch(/^too_deep/);
    expect(evaluated(`1${"+1".repeat(600)}`)).toMatch(/^too_much_work/);
    expect(evaluated(Array(20).fill("POW(2;0.5)").join("+"))).toMatch(/^too_much_work/);
    expect(evaluated(`${"(".repeat(30)}1${")".repeat(30)}`)).toBe("1");
  });

  test("no text whatever throws", () => {
    const pieces = fc.constantFrom(
      "1",
      "(",
      ")",
      "+",
      "-",
      ";",
      "IF",
      "MIN",
      "SWITCH",
      "SWITCH_CASE",
      '"a"',
      "is",
      "AND",
      " ",
      "x",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(" ")),
        ),
        (text) => {
          expect(() => evaluated(text)).not.toThrow();
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("laws", () => {
  const cents = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
  const literal = (value: number) => `${Math.trunc(value / 100)}.${String(value % 100).padStart(2, "0")}`;
  const whole = (text: string) => {
    const parsed = parseFormula(text);
    return "formula" in parsed ? BigInt(parsed.formula.evaluate(operandsOf())?.toFixed() ?? "-1") : null;
  };

  test("sums and products of money are exact up to 2^53 − 1", () => {
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(whole(`(${literal(a)} + ${literal(b)}) * 100`)).toBe(BigInt(a) + BigInt(b));
        expect(whole(`${literal(a)} * ${literal(b)} * 10000`)).toBe(BigInt(a) * BigInt(b));
      }),
    );
  });

  test("AND and OR do not depend on the order of their parts", () => {
    const part = fc.constantFrom("1 < 2", "1 > 2", "ORDER_AMOUNT > 1");
    fc.assert(
      fc.property(part, part, fc.constantFrom("AND", "OR"), (a, b, word) => {
        expect(truth(`${a} ${word} ${b}`)).toBe(truth(`${b} ${word} ${a}`));
      }),
    );
  });
});
