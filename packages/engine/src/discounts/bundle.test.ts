import { describe, expect, test } from "vitest";
import { aCoupon, decided, discounts, words } from "../decision/decision.fixtures.js";
import { normaliseOrder } from "../orders/normalise.js";
import type { OrderInput } from "../orders/order.js";
import type { BundleRule, ItemRef } from "../rules/contract.js";
import { countBundle } from "./bundle.js";
import {
  aDiscount,
  aLine,
  amountOff,
  anEntry,
  anItem,
  aRule,
  fixed,
  itemsIncluded,
  percentOff,
} from "./discounts.fixtures.js";

const bundle = (limit: number, ...conditions: [ItemRef, number][]): BundleRule => ({
  limit,
  conditions: conditions.map(([item, quantity]) => ({ item, quantity })),
});
const sku = (id: string) => anItem(id, { object: "sku" });
const collection = (id: string) => anItem(id, { object: "products_collection" });

describe("counting bundles", () => {
  const count = (rule: BundleRule, order: OrderInput) =>
    countBundle(rule, normaliseOrder(order).lines, (id) => id === "pc_all");
  const cart = {
    items: [
      aLine("cup", 100, 5),
      aLine("plate", 100, 4),
      { product_id: "cup", sku_id: "cup_red", price: 100, quantity: 2 },
    ],
  };
  test.each`
    name                                      | rule                                                        | quantity
    ${"the scarcest condition decides"}       | ${bundle(10, [anItem("cup"), 2], [anItem("plate"), 1])}     | ${3}
    ${"at most the limit"}                    | ${bundle(2, [anItem("cup"), 1])}                            | ${2}
    ${"nothing of one condition"}             | ${bundle(2, [anItem("cup"), 1], [anItem("bowl"), 1])}       | ${0}
    ${"a unit serves one condition only"}     | ${bundle(9, [anItem("cup"), 1], [sku("cup_red"), 1])}       | ${2}
    ${"a collection takes what is left over"} | ${bundle(9, [collection("pc_all"), 4], [anItem("cup"), 1])} | ${2}
  `("$name: $quantity", ({ rule, quantity }) => {
    expect(count(rule, cart).quantity).toBe(quantity);
  });

  test("identified and missing units are named", () => {
    expect(count(bundle(1, [anItem("cup"), 6], [anItem("bowl"), 2]), cart)).toEqual({
      quantity: 0,
      limit: 1,
      identified: [
        { id: "cup", object: "product", item_index: 0, item_quantity: 5 },
        { id: "cup", object: "product", item_index: 2, item_quantity: 1 },
      ],
      missing: [{ id: "bowl", object: "product", item_quantity: 2 }],
    });
  });
});

describe("three bundles", () => {
  const rule = (more = {}) => aRule({ bundle: bundle(3, [anItem("cup"), 1]), ...more });
  const cups = { items: [aLine("cup", 900, 10)] };
  const limited = itemsIncluded(anEntry("cup", { quantity_limit: 2 }));
  const ITEMS = { effect: "APPLY_TO_ITEMS" };
  test.each`
    name                                 | discount                                                                               | applicable_to           | taken
    ${"PERCENT 4 on the order"}          | ${percentOff(4, { effect: "APPLY_TO_ORDER" })}                                         | ${itemsIncluded()}      | ${1080}
    ${"PERCENT 40 is at most 100"}       | ${percentOff(40, { effect: "APPLY_TO_ORDER" })}                                        | ${itemsIncluded()}      | ${9000}
    ${"AMOUNT 500 on the order"}         | ${amountOff(500, { effect: "APPLY_TO_ORDER" })}                                        | ${itemsIncluded()}      | ${1500}
    ${"AMOUNT 500, 1200 in all"}         | ${amountOff(500, { effect: "APPLY_TO_ORDER", aggregated_amount_limit: 1200 })}         | ${itemsIncluded()}      | ${1200}
    ${"AMOUNT 500 on items"}             | ${amountOff(500, ITEMS)}                                                               | ${itemsIncluded("cup")} | ${1500}
    ${"BY_QUANTITY 150, two units each"} | ${amountOff(150, { effect: "APPLY_TO_ITEMS_BY_QUANTITY" })}                            | ${limited}              | ${900}
    ${"BY_QUANTITY 150 without limits"}  | ${amountOff(150, { effect: "APPLY_TO_ITEMS_BY_QUANTITY" })}                            | ${itemsIncluded("cup")} | ${1500}
    ${"FIXED 800 on items, two units"}   | ${fixed(800, ITEMS)}                                                                   | ${limited}              | ${600}
    ${"PERCENT 10 on items, two units"}  | ${percentOff(10, ITEMS)}                                                               | ${limited}              | ${540}
    ${"FIXED 8000 on the order"}         | ${fixed(8000, { effect: "APPLY_TO_ORDER" })}                                           | ${itemsIncluded()}      | ${1000}
    ${"one unit free"}                   | ${aDiscount({ type: "UNIT", unit_off: 1, unit_type: "cup", effect: "ADD_NEW_ITEMS" })} | ${itemsIncluded()}      | ${2700}
  `("$name: $taken", ({ discount, applicable_to, taken }) => {
    const decision = decided([aCoupon(discount, { rules: [rule({ applicable_to })] })], cups);
    expect(discounts(decision)).toEqual([taken]);
    expect(decision.outcomes[0]).toMatchObject({ bundle: { quantity: 3, limit: 3 } });
  });

  test("an incomplete bundle violates the rule and says what is missing", () => {
    const incomplete = rule({ bundle: bundle(1, [anItem("cup"), 11]), fallback_message: "Eleven cups" });
    const decision = decided([aCoupon(amountOff(1), { rules: [incomplete] })], cups);
    expect(decision.outcomes[0]).toMatchObject({
      refusal: { key: "order_rules_violated", rule_ids: ["val_1"], message: "Eleven cups" },
      bundle: { quantity: 0, missing: [{ id: "cup", item_quantity: 1 }] },
    });
  });

  test("a bundle needs an order, and its order rule comes after a customer rule", () => {
    expect(words(decided([aCoupon(amountOff(1), { rules: [rule()] })], null))).toEqual(["missing_order"]);
    const both = (key: "customer_rules_violated" | "redemption_rules_violated") =>
      rule({ bundle: bundle(1, [anItem("bowl"), 1]), judge: () => ({ key }) });
    expect(words(decided([aCoupon(amountOff(1), { rules: [both("customer_rules_violated")] })], cups))).toEqual([
      "customer_rules_violated",
    ]);
    expect(words(decided([aCoupon(amountOff(1), { rules: [both("redemption_rules_violated")] })], cups))).toEqual([
      "order_rules_violated",
    ]);
  });

  test("a qualification of the audience does not ask for a complete bundle, and discounts nothing without one", () => {
    const incomplete = rule({ bundle: bundle(1, [anItem("bowl"), 1]) });
    const decision = decided([aCoupon(amountOff(500), { rules: [incomplete] })], cups, { scenario: "AUDIENCE_ONLY" });
    expect(words(decision)).toEqual(["APPLICABLE"]);
    expect(discounts(decision)).toEqual([0]);
  });
});
