import { describe, expect, test } from "vitest";
import type { Rules } from "../../parts/rules/logic.js";
import { cartOf, empty_cart, faultsOf } from "./cart.js";
import { edgesOf } from "./edges.js";

const project = { digits: 2, currency: "EUR", money: (minor: number) => `€${minor / 100}`, count: String };
const line = (what: string, quantity: string, price = "") => ({ key: 0, what, quantity, price });
const of = (name: string, conditions: object, more: object = {}): Rules => ({
  "1": { name, conditions, ...more },
  logic: "1",
});
const mug = { source_id: "mug", object: "product" };
const two_of_them = {
  rules: { "1": { name: "order.items.aggregated_quantity", conditions: { $more_than_or_equal: [2] } }, logic: "1" },
};

describe("what is tried at the edges of a rule", () => {
  test.each([
    [of("order.amount", { $more_than_or_equal: [10_000] }), ["Order of €99.99", "Order of €100", "Order of €100.01"]],
    [of("order.items.count", { $less_than: [1] }), ["0 items in all", "1 item in all", "2 items in all"]],
    [of("customer.metadata", { $more_than: [18] }, { property: "age" }), ["age 17", "age 18", "age 19"]],
    [of("order.items.any", { $is: [mug] }, two_of_them), ["1 × mug", "2 × mug", "3 × mug"]],
    [of("redemption.count.per_customer", { $less_than_or_equal: [1] }), []],
    [of("customer.segment", { $is: ["seg_1"] }), []],
    [{ "1": { name: "order.amount", conditions: { $is: [5] } }, logic: "1 and" }, []],
  ])("%j", (rules, labels) => {
    expect(edgesOf(rules, empty_cart, project).map(({ label }) => label)).toEqual(labels);
  });

  test("is as much as the service decides at once", () => {
    const numbers = Array.from({ length: 10 }, (_, i) => 100 * (i + 1));
    expect(edgesOf(of("order.amount", { $is: numbers }), empty_cart, project)).toHaveLength(19);
  });

  test("changes one thing of the cart and leaves the rest", () => {
    const cart = { ...empty_cart, amount: "5.00", lines: [line("cup", "1", "5.00")] };
    const [below] = edgesOf(of("order.items.any", { $is: [mug] }, two_of_them), cart, project);
    expect({ ...cart, ...below?.change }).toMatchObject({
      amount: "5.00",
      lines: [line("cup", "1", "5.00"), { ...line("mug", "1"), key: 1 }],
    });
  });
});

describe("a cart that is typed", () => {
  test("says nothing of what nobody typed", () => expect(cartOf(empty_cart, {}, project)).toEqual({}));

  test("is sent with its lines, its customer and what is asked of metadata", () => {
    const rules = of("order.items.any", { $is: [{ source_id: "mug-xl", object: "sku" }] });
    const cart = {
      ...{ amount: "12,50", lines: [line("mug-xl", "2", "5"), line("prod_1", "1")], customer: "jana", percent: "" },
      metadata: {
        "customer.metadata plan": "gold",
        "order.metadata pay.days": "030",
        "redemption.metadata web": "true",
      },
    };
    expect(cartOf(cart, rules, project)).toEqual({
      order: {
        amount: 1_250,
        items: [
          { source_id: "mug-xl", related_object: "sku", quantity: 2, price: 500 },
          { product_id: "prod_1", quantity: 1 },
        ],
        metadata: { pay: { days: 30 } },
      },
      customer: { source_id: "jana", metadata: { plan: "gold" } },
      metadata: { web: true },
    });
  });

  test("is told what is wrong with it, at its field", () => {
    const cart = { ...empty_cart, amount: "1.234", percent: "200", lines: [line("", "x", "y")] };
    expect(faultsOf(cart, project)).toEqual({
      amount: "An amount in EUR",
      percent: "More than 0, at most 100",
      lines: [{ what: "Which one?", quantity: "A whole number", price: "An amount in EUR" }],
    });
    expect(faultsOf(empty_cart, project)).toBeNull();
  });
});
