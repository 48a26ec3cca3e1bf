import { describe, expect, test } from "vitest";
import { compileDiscount } from "../index.js";
import type { RuleContext } from "../rules/contract.js";
import { aContext, leaf, ruleOf } from "../rules/rules.fixtures.js";
import { TooMuchWork, Work } from "../work.js";
import { decide, decideInTurns } from "./decide.js";
import { aCustomer, aVoucher, NOON as noon, someFacts } from "./decision.fixtures.js";
import type { VoucherFacts } from "./facts.js";

const times = <Made>(count: number, make: (i: number) => Made) => Array.from({ length: count }, (_, i) => make(i));
const items = times(500, (i) => ({ product_id: `prod_${i}`, quantity: 1, price: 100 }));
const limits = { turn_max: 200_000, decision_max: 1_000_000 };

const decidedOn = (vouchers: readonly Partial<VoucherFacts>[], metadata: Record<string, unknown> = {}) => {
  const work = new Work(limits);
  const customer = { ...aCustomer("cust_1"), metadata };
  const all = { redeemables_application_mode: "PARTIAL" as const };
  return someFacts(
    vouchers.map((voucher) => aVoucher(voucher)),
    { items },
    { customer, work },
    all,
  );
};
const numbered = (leaves: object[]) => Object.fromEntries(leaves.map((one, i) => [i + 1, one]));
const under = (leaves: object[], more = {}) => ({ rules: [ruleOf(numbered(leaves), more)] });
const off = (fields: object) => ({ discount: compileDiscount({ type: "AMOUNT", amount_off: 1, ...fields }) });
const essay = { essay: "a".repeat(65_000) };

const words = (count: number) =>
  leaf("customer.metadata", { $contains: times(count, (i) => `aaaaaaa${i}`) }, { property: "essay" });
const nested = (count: number) =>
  leaf(
    "order.items.any",
    { $is_not: ["none"] },
    { rules: numbered(times(count, () => leaf("order.items.price", { $more_than: [1e6] }))) },
  );
const long_path = times(500, () => "a").join(".");
const everything = { applicable_to: { included_all: true, included: [{ object: "product", id: "none" }] } };

describe("a decision that would take more than it may is not made", () => {
  test.each<[string, Partial<VoucherFacts>, Record<string, unknown>]>([
    ["9,000 words looked for in an essay", under([words(9_000)]), essay],
    ["a thousand leaves asked of 500 lines", under([nested(990)]), {}],
    [
      "a path of 500 dots on 500 lines",
      under([leaf("order.items.metadata_any", { $is: ["x"] }, { property: long_path })]),
      {},
    ],
    [
      "9,000 collections asked of 500 lines",
      under([leaf("order.items.any", { $in: times(9_000, (i) => `pc_${i}`) })]),
      {},
    ],
    [
      "a formula of 240 sums on 500 lines",
      {
        ...under([], everything),
        ...off({ effect: "APPLY_TO_ITEMS", amount_off_formula: `${"1.1+".repeat(240)}ORDER_ITEM_PRICE` }),
      },
      {},
    ],
  ])("%s", (_, voucher, metadata) => {
    expect(() => decide(decidedOn([voucher], metadata), noon)).toThrow(TooMuchWork);
  });

  test("and says which rule it was, what it came to and what it may", () => {
    try {
      decide(decidedOn([under([words(9_000)])], essay), noon);
      expect.unreachable();
    } catch (error) {
      const { on, units, units_max } = error as TooMuchWork;
      expect({ on, units_max }).toEqual({ on: { object: "validation_rule", id: "val_1" }, units_max: 200_000 });
      expect(units).toBeGreaterThan(9_000 * (65_000 / 16));
    }
  });

  test("nor one of many redeemables that take too much together", () => {
    const vouchers = times(30, () => under([nested(15)]));
    expect(() => decide(decidedOn(vouchers.slice(0, 5)), noon)).not.toThrow();
    expect(() => decide(decidedOn(vouchers), noon)).toThrow(/1000000 at most/);
  });
});

describe("what shops do", () => {
  test.each<[string, Partial<VoucherFacts>, Record<string, unknown>]>([
    ["twenty words in an essay", under([words(20)]), essay],
    ["9,000 words in a colour", under([words(9_000)]), { essay: "blue" }],
    ["twenty leaves asked of 500 lines", under([nested(15)]), {}],
    ["9,000 products on 500 lines", under([leaf("order.items.any", { $in: times(9_000, (i) => `p_${i}`) })]), {}],
    [
      "a thousand leaves about a customer",
      under(times(990, () => leaf("customer.metadata", { $is_not: ["x"] }, { property: "plan" }))),
      essay,
    ],
  ])("is decided: %s", (_, voucher, metadata) => {
    expect(() => decide(decidedOn([voucher], metadata), noon)).not.toThrow();
  });
});

test("each redeemable is a turn, and its work is told", () => {
  const turns = [...decideInTurns(decidedOn([{}, under([nested(10)]), {}]), noon)];
  expect(turns).toHaveLength(3);
  expect(turns[1]).toBeGreaterThan(2 * (turns[0] as number));
});

test.each([
  ["words that an essay lacks", words(30)],
  ["a price that no line has", nested(1)],
])("why a rule does not hold takes no more than whether it does, and what it saw hardly more: %s", (_, failing) => {
  const rule = ruleOf({ 1: failing });
  const customer = { ...aCustomer("cust_1"), metadata: essay };
  const unitsOf = (ask: (context: RuleContext) => unknown) => {
    const work = new Work(limits);
    ask(aContext({ order: { items }, customer, work }));
    return work.endTurn();
  };
  expect(rule.holds(aContext({ order: { items }, customer }))).toBe(false);
  const units = unitsOf((context) => rule.holds(context));
  expect(unitsOf((context) => rule.judge(context))).toBeLessThan(1.5 * units);
  expect(unitsOf((context) => rule.explain(context))).toBeLessThan(2 * units);
});
