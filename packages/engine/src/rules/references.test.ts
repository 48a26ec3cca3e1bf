import { describe, expect, test } from "vitest";
import { leaf, ruleOf } from "./rules.fixtures.js";

const always = (rules: object) => leaf("redemption.metadata", { $is_not: ["x"] }, { property: "plan", rules });
const segment = (...ids: unknown[]) => leaf("customer.segment", { $is: ids });
const collection = (id: string) => ({ object: "products_collection", id });
const has = (id: string) => leaf("order.items.any", { $is: [collection(id)] });

describe("segments of a rule", () => {
  test.each(["$is", "$is_not", "$in", "$not_in", "$not_intersect"])("an id beside %s counts", (operator) => {
    const rules = { "1": leaf("customer.segment", { [operator]: ["seg_1"] }) };
    expect(ruleOf(rules).segments).toEqual(["seg_1"]);
  });

  test("each comes once, whichever way it is written", () => {
    const several = leaf("customer.segment", { $in: ["seg_2", { id: "seg_1" }, { id: "seg_4" }], $is_not: "seg_3" });
    expect(ruleOf({ "1": segment("seg_1"), "2": several }).segments).toEqual(["seg_1", "seg_2", "seg_4", "seg_3"]);
  });

  test("nested leaves count, at any depth", () => {
    const rules = { "1": always({ "1": always({ "1": segment("seg_3") }), "2": segment("seg_2"), logic: "1 or 2" }) };
    expect(ruleOf(rules).segments).toEqual(["seg_3", "seg_2"]);
  });

  test("leaves that logic does not name do not count, nor what is nested in them", () => {
    const rules = { "1": segment("seg_1"), "2": segment("seg_2"), "3": always({ "1": segment("seg_3") }), logic: "1" };
    expect(ruleOf(rules).segments).toEqual(["seg_1"]);
    const nested = always({ "1": segment("seg_1"), "2": segment("seg_2"), logic: "2" });
    expect(ruleOf({ "1": nested }).segments).toEqual(["seg_2"]);
  });

  test("operands of other names and operands that are no id are none", () => {
    const rules = { "1": leaf("customer.loyalty_tier", { $is: ["seg_1"] }), "2": segment(5), "3": segment({}) };
    expect(ruleOf(rules).segments).toEqual([]);
    expect(ruleOf({}).segments).toEqual([]);
  });
});

describe("collections of a rule", () => {
  test.each(["any", "every", "none", "cheapest", "most_expensive"])("order.items.%s, with $from", (quantifier) => {
    const rules = {
      "1": leaf(`order.items.${quantifier}`, { $is: [collection("pc_1")], $from: ["pc_2", collection("pc_3")] }),
    };
    expect(ruleOf(rules).collections).toEqual(["pc_1", "pc_2", "pc_3"]);
  });

  test.each(["$is", "$in", "$is_not", "$not_in"])("an id beside %s counts", (operator) => {
    const rules = { "1": leaf("order.items.every", { [operator]: ["pc_1"] }) };
    expect(ruleOf(rules).collections).toEqual(["pc_1"]);
  });

  test("older product rules may name a collection", () => {
    expect(ruleOf({ "1": leaf("product.id", { $is_not: [collection("pc_1")] }) }).collections).toEqual(["pc_1"]);
  });

  test("nested leaves count; leaves that logic does not name do not", () => {
    const rules = { "1": always({ "1": has("pc_1") }), "2": has("pc_2"), logic: "1" };
    expect(ruleOf(rules).collections).toEqual(["pc_1"]);
  });

  test("applicable_to and the bundle count, after the leaves", () => {
    const applicable_to = {
      included: [collection("pc_2"), { object: "sku", id: "sku_1" }],
      excluded: [collection("pc_3")],
    };
    const bundle_rules = { "1": has("pc_4"), "2": has("pc_1") };
    expect(ruleOf({ "1": has("pc_1") }, { applicable_to, bundle_rules }).collections).toEqual([
      "pc_1",
      "pc_2",
      "pc_3",
      "pc_4",
    ]);
  });

  test("products and SKUs are none", () => {
    const rules = { "1": leaf("order.items.any", { $in: [{ object: "product", id: "pc_1" }, "prod_1"] }) };
    expect(ruleOf(rules).collections).toEqual([]);
    expect(ruleOf({}).collections).toEqual([]);
  });
});
