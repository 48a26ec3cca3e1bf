import fc from "fast-check";
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
    name                                                    | rule                                                                                | quantity
    ${"the scarcest condition decides"}                     | ${bundle(10, [anItem("cup"), 2], [anItem("plate"), 1])}                             | ${3}
    ${"two ask for the same, and a third for what is left"} | ${bundle(9, [anItem("plate"), 1], [anItem("plate"), 1], [collection("pc_all"), 1])} | ${2}
    ${"at most the limit"}                                  | ${bundle(2, [anItem("cup"), 1])}                                                    | ${2}
    ${"nothing of one condition"}                           | ${bundle(2, [anItem("cup"), 1], [anItem("bowl"), 1])}                               | ${0}
    ${"a unit serves one condition only"}                   | ${bundle(9, [anItem("cup"), 1], [sku("cup_red"), 1])}                               | ${2}
    ${"a collection takes what is left over"}               | ${bundle(9, [collection("pc_all"), 4], [anItem("cup"), 1])}                         | ${2}
  `("$name: $quantity", ({ rule, quantity }) => {
    expect(count(rule, cart).quantity).toBe(quantity);
  });

  test.each`
    name                                              | conditions                                                                        | lines                        | identified
    ${"a product moves so that its SKU is free"}      | ${[[anItem("cup"), 1], [sku("cup_red"), 1]]}                                      | ${["cup/cup_red", "cup"]}    | ${["cup_red 0", "cup 1"]}
    ${"a collection moves so that a product is free"} | ${[[collection("pc_all"), 1], [anItem("cup"), 1]]}                                | ${["cup", "plate"]}          | ${["cup 0", "plate 1"]}
    ${"one collection moves so that another is free"} | ${[[collection("pc_all"), 1], [collection("pc_cup"), 1]]}                         | ${["cup", "plate"]}          | ${["plate 1", "cup 0"]}
    ${"several conditions move, one after the other"} | ${[[collection("pc_all"), 1], [collection("pc_ab"), 1], [collection("pc_a"), 1]]} | ${["a", "b", "c"]}           | ${["c 2", "b 1", "a 0"]}
    ${"nothing moves without need"}                   | ${[[collection("pc_all"), 1], [collection("pc_ab"), 1]]}                          | ${["a", "b", "c"]}           | ${["a 0", "b 1"]}
    ${"only as many units move as are needed"}        | ${[[collection("pc_all"), 3], [collection("pc_a"), 2]]}                           | ${["a", "a", "a", "b", "c"]} | ${["a 0", "b 3", "c 4", "a 1", "a 2"]}
  `("$name", ({ conditions, lines, identified }) => {
    const holds: Record<string, string[]> = { pc_cup: ["cup"], pc_ab: ["a", "b"], pc_a: ["a"] };
    const items = lines.map((line: string) => {
      const [product_id, sku_id = null] = line.split("/");
      return { product_id, sku_id, price: 100 };
    });
    const found = countBundle(bundle(1, ...conditions), normaliseOrder({ items }).lines, (id, line) => {
      return id === "pc_all" || (holds[id] ?? []).includes(line.product_id ?? "");
    });
    expect(found.quantity).toBe(1);
    const by_condition = found.identified.map(({ id, item_index }) => `${id} ${item_index}`);
    expect([...by_condition].sort()).toEqual([...identified].sort());
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

describe("the number of bundles is the largest there can be", () => {
  const products = ["a", "b", "c", "d"];
  const condition = fc.record({
    holds: fc.subarray(products, { minLength: 1 }),
    quantity: fc.integer({ min: 1, max: 2 }),
  });
  const cart = fc.array(fc.record({ id: fc.constantFrom(...products), quantity: fc.nat(3) }), { maxLength: 4 });
  const named = fc.array(condition, { minLength: 1, maxLength: 3 });

  const counted = (conditions: { holds: string[]; quantity: number }[], items: { id: string; quantity: number }[]) => {
    const rule = bundle(
      3,
      ...conditions.map(({ quantity }, i): [ItemRef, number] => [collection(String(i)), quantity]),
    );
    const lines = normaliseOrder({ items: items.map(({ id, quantity }) => aLine(id, 100, quantity)) }).lines;
    return countBundle(rule, lines, (i, line) => conditions[Number(i)]?.holds.includes(line.product_id ?? "") ?? false);
  };

  /** Tries every unit for every place. */
  const canServe = (places: string[][], items: { id: string; quantity: number }[]): boolean => {
    const [holds, ...others] = places;
    if (holds === undefined) return true;
    return items.some((item, i) => {
      if (item.quantity === 0 || !holds.includes(item.id)) return false;
      return canServe(others, items.with(i, { ...item, quantity: item.quantity - 1 }));
    });
  };
  const places = (conditions: { holds: string[]; quantity: number }[], bundles: number) =>
    conditions.flatMap(({ holds, quantity }) => Array.from({ length: quantity * bundles }, () => holds));

  test("as trying out everything says, and each unit serves one condition", () => {
    fc.assert(
      fc.property(named, cart, (conditions, items) => {
        const { quantity, identified, missing } = counted(conditions, items);
        const possible = [3, 2, 1].find((bundles) => canServe(places(conditions, bundles), items)) ?? 0;
        expect(quantity).toBe(possible);
        items.forEach((item, i) => {
          const of_line = identified.filter(({ item_index }) => item_index === i);
          expect(of_line.reduce((sum, { item_quantity }) => sum + item_quantity, 0)).toBeLessThanOrEqual(item.quantity);
        });
        const asked = places(conditions, Math.max(1, quantity)).length;
        const found = [...identified, ...missing].reduce((sum, { item_quantity }) => sum + item_quantity, 0);
        expect(found).toBe(asked);
        expect(missing.length === 0).toBe(possible > 0);
      }),
      { numRuns: process.env.GUERDON_TEST_LONG === "1" ? 10_000 : 400 },
    );
  });

  test("also with a hundred conditions that overlap on 500 lines, in a moment", () => {
    const conditions = Array.from({ length: 100 }, (_, i) => ({
      item: anItem("any", { matches: ({ index }) => (index * 7 + i * 13) % 10 < 3 }),
      quantity: 1 + (i % 3),
    }));
    const items = Array.from({ length: 500 }, (_, i) => aLine(`p${i}`, 100, 1 + (i % 4)));
    const { lines } = normaliseOrder({ items });
    const times = Array.from({ length: 9 }, () => {
      const begin = process.cpuUsage();
      expect(countBundle({ limit: 100, conditions }, lines, () => false).quantity).toBe(6);
      const { user, system } = process.cpuUsage(begin);
      return (user + system) / 1000;
    });
    expect(Math.min(...times)).toBeLessThan(100);
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
