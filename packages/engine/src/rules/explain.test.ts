import { describe, expect, test } from "vitest";
import type { RuleNode, Scenario } from "./contract.js";
import { aContext, aCustomer, aProductLine, keyOf, leaf, outcomeOf, ruleOf } from "./rules.fixtures.js";

const explained = (rules: unknown, situation: Parameters<typeof aContext>[0] = {}) =>
  ruleOf(rules).explain(aContext(situation));

const nodeAt = (node: RuleNode, path: string): RuleNode | undefined =>
  node.path === path ? node : node.nodes.map((inner) => nodeAt(inner, path)).find((found) => found !== undefined);

describe("an explanation shows what each leaf saw, wanted and lacked", () => {
  test("over the whole tree", () => {
    const rules = {
      "1": leaf("order.amount", { $more_than_or_equal: [2500] }),
      "2": leaf("customer.segment", { $in: ["seg_a", "seg_b"] }),
      "3": leaf(
        "order.items.any",
        { $is: [{ id: "prod_mug", object: "product" }] },
        {
          rules: { "1": leaf("order.items.aggregated_quantity", { $more_than: [3] }) },
        },
      ),
      "4": leaf("order.amount", { $is: [1] }),
      logic: "(1 or 2) and 3",
    };
    const situation = {
      customer: aCustomer({ segments: new Set(["seg_a"]) }),
      order: { items: [aProductLine("prod_pan", 100), aProductLine("prod_mug", 700, 2)] },
    };
    expect(explained(rules, situation)).toEqual({
      path: "",
      name: null,
      property: null,
      logic: "(1 or 2) and 3",
      saw: null,
      wanted: {},
      holds: false,
      lacking: null,
      nodes: [
        {
          path: "1",
          name: "order.amount",
          property: null,
          logic: "",
          saw: 1500,
          wanted: { $more_than_or_equal: [2500] },
          holds: false,
          lacking: 1000,
          nodes: [],
        },
        {
          path: "2",
          name: "customer.segment",
          property: null,
          logic: "",
          saw: ["seg_a"],
          wanted: { $in: ["seg_a", "seg_b"] },
          holds: true,
          lacking: null,
          nodes: [],
        },
        {
          path: "3",
          name: "order.items.any",
          property: null,
          logic: "1",
          saw: [1],
          wanted: { $is: [{ id: "prod_mug", object: "product" }] },
          holds: false,
          lacking: null,
          nodes: [
            {
              path: "3.1",
              name: "order.items.aggregated_quantity",
              property: null,
              logic: "",
              saw: 2,
              wanted: { $more_than: [3] },
              holds: false,
              lacking: 2,
              nodes: [],
            },
          ],
        },
      ],
    });
  });

  test.each`
    name                        | conditions                                  | situation                                                                 | saw           | lacking
    ${"order.amount"}           | ${{ $less_than: [100] }}                    | ${{ order: { amount: 130 } }}                                             | ${130}        | ${31}
    ${"order.amount"}           | ${{ $less_than_or_equal: [100] }}           | ${{ order: { amount: 130 } }}                                             | ${130}        | ${30}
    ${"order.amount"}           | ${{ $is: [100] }}                           | ${{ order: { amount: 130 } }}                                             | ${130}        | ${30}
    ${"order.amount"}           | ${{ $more_than: [200], $less_than: [900] }} | ${{ order: { amount: 130 } }}                                             | ${130}        | ${71}
    ${"order.amount"}           | ${{ $is: [130] }}                           | ${{ order: { amount: 130 } }}                                             | ${130}        | ${null}
    ${"order.amount"}           | ${{ $is: [130] }}                           | ${{}}                                                                     | ${null}       | ${null}
    ${"order.items.price_any"}  | ${{ $more_than_or_equal: [500] }}           | ${{ order: { items: [aProductLine("a", 100), aProductLine("b", 450)] } }} | ${[100, 450]} | ${50}
    ${"redemption.count.daily"} | ${{ $less_than_or_equal: [3] }}             | ${{ counters: { "redemption.count.daily": 5 } }}                          | ${6}          | ${3}
  `("$name $conditions saw $saw and lacked $lacking", ({ name, conditions, situation, saw, lacking }) => {
    expect(nodeAt(explained({ "1": leaf(name, conditions) }, situation), "1")).toMatchObject({ saw, lacking });
  });

  test("a leaf that waits for the discount is undecided", () => {
    const node = explained({ "1": leaf("order.total_amount", { $more_than: [5] }) }, { order: { amount: 1 } });
    expect(node).toMatchObject({ holds: true, nodes: [{ holds: null, saw: null, lacking: null }] });
  });

  test("with any it shows the line that satisfies the nested rules, else the first", () => {
    const rules = {
      "1": leaf(
        "order.items.any",
        { $is: ["prod_mug"] },
        { rules: { "1": leaf("order.items.price", { $more_than: [500] }) } },
      ),
    };
    const cart = (...prices: number[]) => ({
      order: { items: prices.map((price) => aProductLine("prod_mug", price)) },
    });
    expect(nodeAt(explained(rules, cart(100, 600)), "1.1")).toMatchObject({ saw: [600], holds: true });
    expect(nodeAt(explained(rules, cart(100, 400)), "1.1")).toMatchObject({ saw: [100], holds: false, lacking: 401 });
  });
});

describe("qualifications leave leaves out", () => {
  const rules = {
    "1": leaf("customer.segment", { $is: ["seg_vip"] }),
    "2": leaf("order.amount", { $more_than: [1000] }),
    "3": leaf("order.initial_amount", { $more_than: [10] }),
    "4": leaf("redemption.count.per_customer.daily", { $less_than: [2] }),
    "5": leaf("redemption.count.daily", { $less_than: [2] }),
    "6": leaf(
      "order.items.any",
      { $is: ["prod_mug"] },
      { rules: { "1": leaf("order.items.quantity", { $more_than: [1] }) } },
    ),
    "7": leaf("publication.redeemable_by_linked_customer", { $is: [true] }),
    "8": leaf(
      "order.metadata",
      { $is: ["x"] },
      { property: "channel", rules: { "1": leaf("campaign.redemptions.count", { $less_than: [9] }) } },
    ),
  };
  test.each`
    scenario                           | omitted
    ${"ALL"}                           | ${["2", "4", "8.1"]}
    ${"CUSTOMER_WALLET"}               | ${["2", "4", "8.1"]}
    ${"PROMOTION_STACKS"}              | ${["2", "4", "8.1"]}
    ${"AUDIENCE_ONLY"}                 | ${["2", "3", "4", "5", "6", "6.1", "8", "8.1"]}
    ${"PRODUCTS"}                      | ${["1", "2", "3", "4", "5", "7", "8", "8.1"]}
    ${"PRODUCTS_DISCOUNT"}             | ${["1", "2", "3", "4", "5", "7", "8", "8.1"]}
    ${"PRODUCTS_BY_CUSTOMER"}          | ${["2", "3", "4", "5", "7", "8", "8.1"]}
    ${"PRODUCTS_DISCOUNT_BY_CUSTOMER"} | ${["2", "3", "4", "5", "7", "8", "8.1"]}
  `("$scenario leaves out $omitted", ({ scenario, omitted }) => {
    expect(ruleOf(rules).omittedLeaves(scenario as Scenario)).toEqual(omitted);
  });

  test("what is left out counts as true, the rest decides", () => {
    const customer = aCustomer({ segments: new Set(["seg_vip"]) });
    const judged = (scenario: Scenario | null, situation: object) =>
      keyOf(ruleOf(rules).judge(aContext({ scenario, ...situation })));
    const inside = {
      customer,
      holder_id: "cust_1",
      order: { items: [aProductLine("prod_mug", 50, 2)], metadata: { channel: "x" } },
    };
    expect(judged("ALL", inside)).toBe("holds");
    expect(judged(null, inside)).toBe("order_rules_violated");
    expect(judged("AUDIENCE_ONLY", { customer, holder_id: "cust_1" })).toBe("holds");
    expect(judged("AUDIENCE_ONLY", { customer })).toBe("redemption_rules_violated");
    expect(judged("PRODUCTS", { order: { items: [aProductLine("prod_mug", 50, 2)] } })).toBe("holds");
    expect(judged("PRODUCTS", { order: { items: [aProductLine("prod_mug", 50)] } })).toBe("order_rules_violated");
  });

  test("without a customer, leaves about customers are false", () => {
    expect(outcomeOf({ "1": leaf("customer.segment", { $is_not: ["seg_vip"] }) }, { scenario: "ALL" })).not.toBe(
      "holds",
    );
  });

  test("an explanation shows what was left out as neither true nor false", () => {
    const node = explained(rules, { scenario: "AUDIENCE_ONLY", customer: aCustomer(), holder_id: "cust_1" });
    expect(nodeAt(node, "2")).toMatchObject({ holds: null, saw: null });
    expect(nodeAt(node, "7")).toMatchObject({ holds: true, saw: true });
  });
});
