import { describe, expect, test } from "vitest";
import { aContext, aCustomer, leaf, outcomeOf, ruleOf } from "./rules.fixtures.js";

describe("what waits for the discount counts as holding until it is known", () => {
  test.each([
    "order.total_amount",
    "campaign.orders.amount_discounted",
    "redemption.gift.amount",
    "redemption.reward.pay_with_points.points_used",
  ])("%s", (name) => {
    const rule = ruleOf({ "1": leaf(name, { $less_than: [0] }) });
    const situation = { order: { amount: 1000 } };
    expect(rule.needs_discount).toBe(true);
    expect(rule.judge(aContext(situation))).toBeNull();
    expect(rule.judge(aContext({ ...situation, discount: 0 }))).not.toBeNull();
  });

  test("other rules are decided at once", () => {
    expect(ruleOf({ "1": leaf("order.amount", { $is: [1] }) }).needs_discount).toBe(false);
  });
});

test("a rule names the counters the server has to read, each once", () => {
  const rule = ruleOf({
    "1": leaf("redemption.count.daily", { $less_than: [5] }),
    "2": leaf(
      "redemption.count.per_customer",
      { $is: [1] },
      { rules: { "1": leaf("redemption.count.daily", { $is: [1] }) } },
    ),
  });
  expect(rule.counters).toEqual([
    { name: "redemption.count", period: "daily" },
    { name: "redemption.count.per_customer", period: "total" },
  ]);
});

test.each`
  used | less_than_or_equal_1 | less_than_2 | is_1
  ${0} | ${"holds"}           | ${"holds"}  | ${"holds"}
  ${1} | ${"fails"}           | ${"fails"}  | ${"fails"}
`("once per customer in three spellings, after $used redemptions", ({ used, ...expected }) => {
  const outcome = (conditions: object) => {
    const rule = ruleOf({ "1": leaf("redemption.count.per_customer", conditions) });
    const context = aContext({ customer: aCustomer(), counters: { "redemption.count.per_customer": used } });
    return rule.judge(context) === null ? "holds" : "fails";
  };
  expect({
    less_than_or_equal_1: outcome({ $less_than_or_equal: [1] }),
    less_than_2: outcome({ $less_than: [2] }),
    is_1: outcome({ $is: [1] }),
  }).toEqual(expected);
});

describe("the three amounts under stacking", () => {
  // A coupon of 300 and a gift of 500 on a cart of 2000, either first.
  test.each`
    taken  | takes  | initial | amount  | total
    ${0}   | ${300} | ${2000} | ${2000} | ${1700}
    ${300} | ${500} | ${2000} | ${1700} | ${1200}
    ${0}   | ${500} | ${2000} | ${2000} | ${1500}
    ${500} | ${300} | ${2000} | ${1500} | ${1200}
  `("after $taken, taking $takes: $initial, $amount, $total", ({ taken, takes, initial, amount, total }) => {
    const situation = {
      order: { amount: 2000, discount_amount: taken },
      order_after: { amount: 2000, discount_amount: taken + takes },
      discount: takes,
    };
    expect(outcomeOf({ "1": leaf("order.initial_amount", { $is: [initial] }) }, situation)).toBe("holds");
    expect(outcomeOf({ "1": leaf("order.amount", { $is: [amount] }) }, situation)).toBe("holds");
    expect(outcomeOf({ "1": leaf("order.total_amount", { $is: [total] }) }, situation)).toBe("holds");
  });
});

// At most twice a customer, three times a day and 100.00 in all; each redemption takes 35.00 off.
test.each`
  redeemed | today | discounted | violated
  ${0}     | ${0}  | ${0}       | ${[]}
  ${1}     | ${1}  | ${3500}    | ${[]}
  ${2}     | ${2}  | ${7000}    | ${["1", "3"]}
  ${1}     | ${1}  | ${3500}    | ${[]}
  ${0}     | ${3}  | ${0}       | ${["2"]}
`("limits count the redemption at hand: after $redeemed, $today and $discounted", ({ violated, ...counted }) => {
  const atMost = (name: string, limit: number) => leaf(name, { $less_than_or_equal: [limit] });
  const rule = ruleOf({
    "1": atMost("redemption.count.per_customer", 2),
    "2": atMost("campaign.redemptions.customers_count.daily", 3),
    "3": atMost("campaign.orders.amount_discounted", 10_000),
  });
  const context = aContext({
    customer: aCustomer(),
    discount: 3500,
    counters: {
      "redemption.count.per_customer": counted.redeemed,
      "campaign.redemptions.customers_count.daily": counted.today,
      "campaign.orders.amount_discounted": counted.discounted,
    },
  });
  expect(rule.explain(context).nodes.flatMap(({ path, holds }) => (holds ? [] : [path]))).toEqual(violated);
  expect(rule.judge(context)).toEqual(violated.length === 0 ? null : { key: "redemption_rules_violated" });
});
