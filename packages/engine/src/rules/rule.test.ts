import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLogic } from "./logic.js";
import { aContext, aCustomer, aProductLine, keyOf, leaf, outcomeOf, ruleOf } from "./rules.fixtures.js";

const atLeast = (amount: number, more: object = {}) => leaf("order.amount", { $more_than_or_equal: [amount] }, more);
const plan = (name: string, more: object = {}) =>
  leaf("customer.metadata", { $is: [name] }, { property: "plan", ...more });
const uses = (limit: number, more: object = {}) =>
  leaf("redemption.count.daily", { $less_than_or_equal: [limit] }, more);
const customerOf = (name: string) => aCustomer({ metadata: { plan: name } });

describe("logic", () => {
  // Leaf n holds when the cart is worth at least n thousand.
  const rules = { "1": atLeast(1000), "2": atLeast(2000), "3": atLeast(3000) };
  test.each`
    logic                   | amount  | outcome
    ${"1 and 2"}            | ${2500} | ${"holds"}
    ${"1 and 2"}            | ${1500} | ${"order_rules_violated"}
    ${"1 AND  2"}           | ${2500} | ${"holds"}
    ${"3 or 1"}             | ${1000} | ${"holds"}
    ${"3 or 1 and 2"}       | ${2000} | ${"holds"}
    ${"(3 or 1) and 2"}     | ${1000} | ${"order_rules_violated"}
    ${"((1))and((2)or(3))"} | ${2000} | ${"holds"}
    ${"1 and2"}             | ${2500} | ${"holds"}
    ${"1and 2"}             | ${1500} | ${"order_rules_violated"}
    ${"3or1and2"}           | ${2000} | ${"holds"}
    ${""}                   | ${2999} | ${"order_rules_violated"}
    ${undefined}            | ${3000} | ${"holds"}
    ${"1"}                  | ${1000} | ${"holds"}
  `("$logic at $amount: $outcome", ({ logic, amount, outcome }) => {
    expect(outcomeOf({ ...rules, logic }, { order: { amount } })).toBe(outcome);
  });

  test.each([undefined, null, {}, { logic: "" }])("no leaves (%j) are always satisfied", (none) => {
    expect(outcomeOf(none)).toBe("holds");
  });

  test.each(["1 2", "1 and", "and 1", "(1", "1)", "not 1", "1 && 2", "2.1", "", "1 xor 2", "()"])(
    "%j does not parse",
    (text) => {
      expect(parseLogic(text)).toBeNull();
    },
  );

  test("length and depth are bounded", () => {
    expect(parseLogic(`${"(".repeat(90)}1${")".repeat(90)}`)).not.toBeNull();
    expect(parseLogic(`${"(".repeat(200)}1${")".repeat(200)}`)).toBeNull();
    expect(parseLogic(`1${" or 1".repeat(10_000)}`)).toBeNull();
    expect(parseLogic(" 1 or 2 \n")).not.toBeNull();
  });

  test("a leaf that logic does not name is never looked at", () => {
    expect(outcomeOf({ "1": atLeast(1), "2": plan("gold"), logic: "1" }, { order: { amount: 5 } })).toBe("holds");
  });
});

describe("nested rules", () => {
  const nested = { rules: { "1": plan("gold"), "2": uses(1), logic: "1 or 2" } };
  test.each`
    amount | name        | used | outcome
    ${5}   | ${"gold"}   | ${9} | ${"holds"}
    ${5}   | ${"silver"} | ${0} | ${"holds"}
    ${5}   | ${"silver"} | ${9} | ${"customer_rules_violated"}
    ${4}   | ${"gold"}   | ${0} | ${"order_rules_violated"}
  `("amount $amount, $name, $used uses: $outcome", ({ amount, name, used, outcome }) => {
    const situation = { order: { amount }, customer: customerOf(name), counters: { "redemption.count.daily": used } };
    expect(outcomeOf({ "1": atLeast(5, nested) }, situation)).toBe(outcome);
  });
});

describe("which refusal speaks", () => {
  const rules = { "1": plan("gold", { error: { message: "Gold only" } }), "2": atLeast(2500), logic: "1 and 2" };
  const rule = ruleOf(rules, { error: { message: "Not eligible" } });
  test.each`
    name        | amount  | refusal
    ${"silver"} | ${3000} | ${{ key: "customer_rules_violated", message: "Gold only" }}
    ${"gold"}   | ${2000} | ${{ key: "order_rules_violated", message: "Not eligible" }}
    ${"silver"} | ${2000} | ${{ key: "customer_rules_violated", message: "Gold only" }}
    ${"gold"}   | ${2500} | ${null}
  `("$name and $amount: $refusal", ({ name, amount, refusal }) => {
    expect(rule.judge(aContext({ customer: customerOf(name), order: { amount } }))).toEqual(refusal);
  });

  test("without any text there is none", () => {
    expect(ruleOf({ "1": atLeast(5) }).judge(aContext({ order: { amount: 1 } }))).toEqual({
      key: "order_rules_violated",
    });
  });

  test("the first failed leaf in the order of the logic gives the text", () => {
    const texts = { "1": atLeast(5, { error: { message: "five" } }), "2": atLeast(6, { error: { message: "six" } }) };
    const context = aContext({ order: { amount: 1 } });
    expect(ruleOf({ ...texts, logic: "2 or 1" }).judge(context)).toMatchObject({ message: "six" });
    expect(ruleOf({ ...texts, logic: "1 or 2" }).judge(context)).toMatchObject({ message: "five" });
  });

  test("a nested leaf speaks with its own text, else its nearest ancestor's, else the rule's", () => {
    const inner = (error: object | null) => ({ rules: { "1": uses(1, { error }) } });
    const judged = (outer: object, error: object | null, rest: object = {}) =>
      ruleOf({ "1": atLeast(1, { ...outer, ...inner(error) }) }, rest).judge(
        aContext({ order: { amount: 5 }, counters: { "redemption.count.daily": 5 } }),
      );
    const outer = { error: { message: "outer" } };
    expect(judged(outer, { message: "inner" })).toEqual({ key: "redemption_rules_violated", message: "inner" });
    expect(judged(outer, null)).toMatchObject({ message: "outer" });
    expect(judged({}, null, { error: { message: "rule" } })).toMatchObject({ message: "rule" });
  });

  test("customer before order before redemption, whatever the logic", () => {
    const situation = {
      customer: customerOf("silver"),
      order: { amount: 1 },
      counters: { "redemption.count.daily": 9 },
    };
    const all = { "1": uses(1), "2": atLeast(5), "3": plan("gold") };
    expect(outcomeOf({ ...all, logic: "1 and 2 and 3" }, situation)).toBe("customer_rules_violated");
    expect(outcomeOf({ ...all, logic: "1 and 2" }, situation)).toBe("order_rules_violated");
    expect(outcomeOf({ ...all, logic: "1 or 2 or 3" }, situation)).toBe("customer_rules_violated");
  });
});

describe("what is missing beats what is violated, where the expression depends on it", () => {
  const all = { "1": atLeast(5), "2": plan("gold"), "3": uses(1) };
  test.each`
    logic               | amount       | outcome
    ${"1 or 2"}         | ${5}         | ${"holds"}
    ${"1 or 2"}         | ${4}         | ${"missing_customer"}
    ${"2 or 1"}         | ${5}         | ${"holds"}
    ${"1 and 2"}        | ${4}         | ${"missing_customer"}
    ${"(2 or 1) and 3"} | ${5}         | ${"redemption_rules_violated"}
    ${"3 and 2"}        | ${5}         | ${"missing_customer"}
    ${"1 and 2"}        | ${undefined} | ${"missing_customer"}
    ${"1 and 3"}        | ${undefined} | ${"missing_amount"}
  `("$logic with amount $amount and no customer: $outcome", ({ logic, amount, outcome }) => {
    expect(outcomeOf({ ...all, logic }, { order: { amount }, counters: { "redemption.count.daily": 5 } })).toBe(
      outcome,
    );
  });
});

describe("laws", () => {
  const leaves = {
    "1": atLeast(5),
    "2": plan("gold"),
    "3": uses(1),
    "4": leaf("order.items.count", { $more_than: [1] }),
  };
  const logic: fc.Arbitrary<string> = fc.letrec<{ logic: string }>((tie) => ({
    logic: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("1", "2", "3", "4"),
      fc.tuple(tie("logic"), fc.constantFrom("and", "or"), tie("logic")).map(([a, word, b]) => `(${a} ${word} ${b})`),
    ),
  })).logic;
  const situations = fc.record({
    customer: fc.constantFrom(null, customerOf("gold"), customerOf("silver")),
    order: fc.constantFrom(null, {}, { amount: 3 }, { amount: 9 }, { amount: 9, items: [aProductLine("p", 1, 2)] }),
    counters: fc.constantFrom({}, { "redemption.count.daily": 1 }),
  });
  const keyFor = (text: string, situation: Parameters<typeof aContext>[0]) =>
    keyOf(ruleOf({ ...leaves, logic: text }).judge(aContext(situation)));

  test("a and b is b and a, a or b is b or a, in outcome and key", () => {
    fc.assert(
      fc.property(logic, logic, fc.constantFrom("and", "or"), situations, (a, b, word, situation) => {
        expect(keyFor(`${a} ${word} ${b}`, situation)).toBe(keyFor(`${b} ${word} ${a}`, situation));
      }),
    );
  });

  test("a and b holds when both hold, a or b when either does, a and a is a", () => {
    fc.assert(
      fc.property(logic, logic, situations, (a, b, situation) => {
        const [one, other] = [keyFor(a, situation) === "holds", keyFor(b, situation) === "holds"];
        expect(keyFor(`${a} and ${b}`, situation) === "holds").toBe(one && other);
        expect(keyFor(`${a} or ${b}`, situation) === "holds").toBe(one || other);
        expect(keyFor(`${a} and ${a}`, situation)).toBe(keyFor(a, situation));
      }),
    );
  });

  test("nesting under a leaf that holds changes nothing", () => {
    fc.assert(
      fc.property(logic, situations, (text, situation) => {
        const always = leaf(
          "redemption.metadata",
          { $is_not: ["x"] },
          { property: "none", rules: { ...leaves, logic: text } },
        );
        expect(outcomeOf({ "1": always }, situation)).toBe(keyFor(text, situation));
      }),
    );
  });
});
