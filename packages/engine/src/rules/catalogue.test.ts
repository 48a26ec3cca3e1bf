import { describe, expect, test } from "vitest";
import { RULE_NAMES } from "./index.js";
import { type aContext, aCustomer, aProductLine, leaf, outcomeOf } from "./rules.fixtures.js";

type Situation = NonNullable<Parameters<typeof aContext>[0]>;

interface Example {
  conditions: object;
  more?: object;
  passes: Situation;
  fails: Situation;
  /** `customer`, `order` or `redemption`. */
  category: string;
}

const mug = aProductLine("prod_mug", 800, 2);
const pan = aProductLine("prod_pan", 4000);
const redPan = { ...pan, metadata: { color: "red" }, product: { metadata: { color: "red" } } };
const red = { conditions: { $is: ["red"] }, more: { property: "color" } };
const isMug = { $is: [{ id: "prod_mug", object: "product" }] };
const isMugSku = { $is: [{ id: "sku_mug", object: "sku" }] };
const skuMug = { ...mug, sku_id: "sku_mug" };
const cart = (...items: object[]): Situation => ({ order: { items } });

const customer = (fields: Parameters<typeof aCustomer>[0]): Situation => ({ customer: aCustomer(fields) });
const segment = { conditions: { $is: ["seg_vip"] }, category: "customer" };
const order = { category: "order" };
const redemption = { category: "redemption" };
const atMost = (limit: number) => ({ conditions: { $less_than_or_equal: [limit] }, category: "redemption" });

/** One redemption more is allowed after `limit - 1`, none after `limit`. */
const counterExample = (name: string, { limit = 3, who = {} }: { limit?: number; who?: Situation } = {}): Example => ({
  ...atMost(limit),
  passes: { ...who, counters: { [name]: limit - 1 } },
  fails: { ...who, counters: { [name]: limit } },
});

const knownCustomer = customer({});
const amounts = { conditions: { $more_than_or_equal: [2000] }, ...order };
const twoUnits = { conditions: { $more_than_or_equal: [2] }, ...order };
const dear = { conditions: { $more_than: [1000] }, ...order };

const EXAMPLES: Record<string, Example> = {
  "customer.segment": { ...segment, passes: customer({ segments: new Set(["seg_vip"]) }), fails: customer({}) },
  "customer.loyalty_tier": {
    conditions: { $in: ["ltr_1", { id: "ltr_2" }] },
    category: "customer",
    passes: customer({ loyalty_tiers: new Set(["ltr_2"]) }),
    fails: customer({ loyalty_tiers: new Set(["ltr_3"]) }),
  },
  "customer.loyalty.tier": {
    conditions: { $not_in: ["ltr_1"] },
    category: "customer",
    passes: customer({}),
    fails: customer({ loyalty_tiers: new Set(["ltr_1"]) }),
  },
  "customer.metadata": {
    ...red,
    category: "customer",
    passes: customer({ metadata: { color: "red" } }),
    fails: customer({ metadata: { color: "blue" } }),
  },
  "order.amount": {
    ...amounts,
    passes: { order: { amount: 2000 } },
    fails: { order: { amount: 2000, discount_amount: 1 } },
  },
  "order.initial_amount": {
    ...amounts,
    passes: { order: { amount: 2000, discount_amount: 1 } },
    fails: { order: { amount: 1999 } },
  },
  "order.total_amount": {
    ...amounts,
    passes: { order: { amount: 2500 }, discount: 500 },
    fails: { order: { amount: 2500 }, discount: 501, order_after: { amount: 2500, discount_amount: 501 } },
  },
  "order.metadata": {
    ...red,
    ...order,
    passes: { order: { metadata: { color: "red" } } },
    fails: { order: { metadata: {} } },
  },
  "order.items.count": { ...twoUnits, passes: cart(mug), fails: cart(pan) },
  "order.items.price_any": { ...dear, passes: cart(mug, pan), fails: cart(mug) },
  "order.items.price_each": { ...dear, passes: cart(pan), fails: cart(mug, pan) },
  "order.items.metadata_any": { ...red, ...order, passes: cart(mug, redPan), fails: cart(mug) },
  "order.items.metadata_each": { ...red, ...order, passes: cart(redPan), fails: cart(mug, redPan) },
  "order.items.any": { conditions: isMug, ...order, passes: cart(pan, mug), fails: cart(pan) },
  "order.items.every": { conditions: isMug, ...order, passes: cart(mug), fails: cart(mug, pan) },
  "order.items.none": { conditions: isMug, ...order, passes: cart(pan), fails: cart(pan, mug) },
  "order.items.cheapest": { conditions: isMug, ...order, passes: cart(mug, pan), fails: cart(pan) },
  "order.items.most_expensive": { conditions: isMug, ...order, passes: cart(mug), fails: cart(mug, pan) },
  "order.items.aggregated_quantity": { ...twoUnits, passes: cart(mug), fails: cart(pan) },
  "order.items.aggregated_amount": { ...amounts, passes: cart(pan), fails: cart(mug) },
  "order.items.quantity": { ...twoUnits, passes: cart(mug), fails: cart(pan) },
  "order.items.price": { ...dear, passes: cart(pan), fails: cart(mug) },
  "order.items.metadata": { ...red, ...order, passes: cart(redPan), fails: cart(pan) },
  "product.id": { conditions: { $is: ["prod_mug"] }, ...order, passes: cart(pan, mug), fails: cart(pan) },
  "sku.id": { conditions: isMugSku, ...order, passes: cart(skuMug), fails: cart(mug) },
  "product.price": { ...dear, passes: cart(pan), fails: cart(mug) },
  "sku.price": { ...dear, passes: cart(pan), fails: cart(mug) },
  "product.quantity": { ...twoUnits, passes: cart(mug), fails: cart(pan) },
  "sku.quantity": { ...twoUnits, passes: cart(mug), fails: cart(pan) },
  "product.metadata": { ...red, ...order, passes: cart(mug, redPan), fails: cart(mug) },
  "product.metadata.aggregated_quantity": {
    ...twoUnits,
    more: { property: "color" },
    passes: cart(mug),
    fails: cart(pan),
  },
  "product.metadata.aggregated_amount": {
    ...amounts,
    more: { property: "color" },
    passes: cart(pan),
    fails: cart(mug),
  },
  "redemption.api_key": {
    conditions: { $is: ["key_1"] },
    ...redemption,
    passes: { api_key_id: "key_1" },
    fails: { api_key_id: null },
  },
  "redemption.user.login": {
    conditions: { $is: ["ann@shop.test"] },
    ...redemption,
    passes: { user_login: "ann@shop.test" },
    fails: { user_login: "bob@shop.test" },
  },
  "redemption.metadata": {
    ...red,
    ...redemption,
    passes: { metadata: { color: "red" } },
    fails: { metadata: { color: ["blue"] } },
  },
  "custom_event.metadata": { ...red, ...redemption, passes: { event_metadata: { color: "red" } }, fails: {} },
  "publication.redeemable_by_linked_customer": {
    conditions: { $is: [true] },
    ...redemption,
    passes: { ...knownCustomer, holder_id: "cust_1" },
    fails: { ...knownCustomer, holder_id: null },
  },
  "redemption.gift.amount": {
    ...atMost(500),
    passes: { discount: 300, gift_credits: 300, counters: { "redemption.gift.amount": 200 } },
    fails: { discount: 301, gift_credits: 301, counters: { "redemption.gift.amount": 200 } },
  },
  "campaign.orders.amount_discounted": {
    ...atMost(10_000),
    passes: { discount: 3000, counters: { "campaign.orders.amount_discounted": 7000 } },
    fails: { discount: 3500, counters: { "campaign.orders.amount_discounted": 7000 } },
  },
  "campaign.orders.amount": {
    ...atMost(10_000),
    passes: { order: { amount: 4000, discount_amount: 500 }, counters: { "campaign.orders.amount": 6000 } },
    fails: { order: { amount: 4000, discount_amount: 500 }, counters: { "campaign.orders.amount": 6001 } },
  },
  "redemption.reward.pay_with_points.points_used": {
    ...atMost(100),
    passes: { discount: 1, points: 100 },
    fails: { discount: 1, points: 101 },
  },
};

for (const name of RULE_NAMES) {
  const counted = /^(campaign\.redemptions|redemption\.count)/.test(name);
  const per_customer = /customers_count|per_customer/.test(name);
  if (counted) EXAMPLES[name] = counterExample(name, { who: per_customer ? knownCustomer : {} });
}

const MARKS = [
  "product.discount_applicable",
  "sku.discount_applicable",
  "product.metadata.match_all",
  "product.metadata.discount_applicable",
];

test("every counter comes in the periods that rules may ask for", () => {
  const periods = ["", ".daily", ".weekly", ".monthly"];
  const names = [
    ...["campaign.redemptions.count", "campaign.redemptions.customers_count"],
    ...["redemption.count", "redemption.count.per_customer"],
    ...["redemption.count.per_api_key", "redemption.count.per_user"],
  ].flatMap((name) => periods.map((period) => name + period));
  const totals = ["campaign.orders.amount", "campaign.orders.amount_discounted", "redemption.gift.amount"];
  const counters = RULE_NAMES.filter((name) => /^(campaign|redemption\.(count|gift))\b/.test(name));
  expect(counters).toEqual([...names, ...totals]);
});

test("every name of the catalogue has an example", () => {
  expect(RULE_NAMES.filter((name) => EXAMPLES[name] === undefined)).toEqual(MARKS);
});

describe.each(Object.entries(EXAMPLES))("%s", (name, { conditions, more, passes, fails, category }) => {
  const rules = { "1": leaf(name, conditions, more) };

  test("passes and fails", () => {
    expect(outcomeOf(rules, passes)).toBe("holds");
    expect(outcomeOf(rules, fails)).toBe(`${category}_rules_violated`);
  });

  test("old clients write a dot behind the name", () => {
    expect(outcomeOf({ "1": leaf(`${name}.`, conditions, more) }, fails)).toBe(`${category}_rules_violated`);
  });

  test("without any customer or order it never throws", () => {
    expect(outcomeOf(rules)).toMatch(/^(holds|missing_\w+|redemption_rules_violated)$/);
  });
});

describe("a name that older clients write", () => {
  const { conditions, passes, fails } = EXAMPLES["customer.segment"] as Example;

  test("reads like the one that it has now", () => {
    for (const name of ["customer_segment", "customer_segment."]) {
      const rules = { "1": leaf(name, conditions) };
      expect([outcomeOf(rules, passes), outcomeOf(rules, fails), outcomeOf(rules)]).toEqual([
        "holds",
        "customer_rules_violated",
        "missing_customer",
      ]);
    }
  });
});

test.each(MARKS)("%s never fails", (name) => {
  expect(outcomeOf({ "1": leaf(name, { $is: [true] }, { property: "color" }) })).toBe("holds");
});

describe("what a rule lacks to be decided", () => {
  test.each`
    name                                            | property   | situation                   | outcome
    ${"customer.segment"}                           | ${null}    | ${{}}                       | ${"missing_customer"}
    ${"customer.metadata"}                          | ${"color"} | ${{}}                       | ${"missing_customer"}
    ${"redemption.count.per_customer"}              | ${null}    | ${{}}                       | ${"missing_customer"}
    ${"campaign.redemptions.customers_count.daily"} | ${null}    | ${{}}                       | ${"missing_customer"}
    ${"publication.redeemable_by_linked_customer"}  | ${null}    | ${{}}                       | ${"missing_customer"}
    ${"order.metadata"}                             | ${"color"} | ${{}}                       | ${"missing_order"}
    ${"order.items.any"}                            | ${null}    | ${{}}                       | ${"missing_order"}
    ${"order.items.price_each"}                     | ${null}    | ${{}}                       | ${"missing_order"}
    ${"order.items.count"}                          | ${null}    | ${{}}                       | ${"missing_order"}
    ${"order.amount"}                               | ${null}    | ${{}}                       | ${"missing_order"}
    ${"order.amount"}                               | ${null}    | ${{ order: {} }}            | ${"missing_amount"}
    ${"order.initial_amount"}                       | ${null}    | ${{ order: { items: [] } }} | ${"missing_amount"}
    ${"order.total_amount"}                         | ${null}    | ${{ order: {} }}            | ${"missing_amount"}
  `("$name with $situation: $outcome, also for a negative operator", ({ name, property, situation, outcome }) => {
    expect(outcomeOf({ "1": leaf(name, { $is: ["1"] }, { property }) }, situation)).toBe(outcome);
    expect(outcomeOf({ "1": leaf(name, { $is_not: ["1"] }, { property }) }, situation)).toBe(outcome);
  });

  test("an order with an amount and no items: only what is negative holds for items", () => {
    const situation = { order: { amount: 5000 } };
    const outcome = (name: string, operator: string, more: object = {}) =>
      outcomeOf({ "1": leaf(name, { [operator]: ["1"] }, more) }, situation);
    expect(outcome("order.items.count", "$is")).toBe("order_rules_violated");
    expect(outcomeOf({ "1": leaf("order.items.count", { $is: [0] }) }, situation)).toBe("holds");
    for (const name of [
      "order.items.price_any",
      "order.items.price_each",
      "order.items.any",
      "order.items.every",
      "product.id",
    ]) {
      expect([name, outcome(name, "$is")]).toEqual([name, "order_rules_violated"]);
      expect([name, outcome(name, "$is_not")]).toEqual([name, "holds"]);
    }
    expect(outcomeOf({ "1": leaf("order.items.any", {}) }, situation)).toBe("order_rules_violated");
    expect(outcome("product.metadata", "$is_not", { property: "color" })).toBe("holds");
    expect(outcome("order.items.none", "$is")).toBe("holds");
  });
});
