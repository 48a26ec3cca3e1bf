import { describe, expect, test } from "vitest";
import { aContext, aProductLine, leaf, outcomeOf, ruleOf } from "./rules.fixtures.js";

const collections = {
  pc_kitchen: ["prod_mug", "prod_pan"],
  pc_home: ["prod_lamp"],
  pc_toys: [],
  pc_all: ["prod_mug", "prod_pan", "prod_lamp"],
};
const cart = {
  collections,
  order: {
    items: [aProductLine("prod_mug", 800, 2), aProductLine("prod_pan", 4000), aProductLine("prod_lamp", 4000)],
  },
};

const collection = (id: string) => ({ id, object: "products_collection" });
const product = (id: string) => ({ id, object: "product" });
const is = (...operands: object[]) => ({ $is: operands });
const nested = (...leaves: [string, object, object?][]) => ({
  rules: Object.fromEntries(leaves.map(([name, conditions, more], i) => [String(i + 1), leaf(name, conditions, more)])),
});
const holds = (rules: object, situation: object = cart) => outcomeOf({ "1": rules }, situation) === "holds";

describe("the worked cart: two mugs of 800, a pan of 4000, a lamp of 4000", () => {
  const kitchen = is(collection("pc_kitchen"));
  test.each`
    name                            | conditions                                                           | sub                                                                   | outcome
    ${"order.items.any"}            | ${kitchen}                                                           | ${["order.items.aggregated_amount", { $more_than_or_equal: [5500] }]} | ${true}
    ${"order.items.any"}            | ${kitchen}                                                           | ${["order.items.aggregated_amount", { $more_than: [5600] }]}          | ${false}
    ${"order.items.any"}            | ${kitchen}                                                           | ${["order.items.aggregated_quantity", { $is: [3] }]}                  | ${true}
    ${"order.items.any"}            | ${kitchen}                                                           | ${["order.items.quantity", { $more_than_or_equal: [3] }]}             | ${false}
    ${"order.items.any"}            | ${kitchen}                                                           | ${["order.items.quantity", { $more_than_or_equal: [2] }]}             | ${true}
    ${"order.items.every"}          | ${kitchen}                                                           | ${null}                                                               | ${false}
    ${"order.items.every"}          | ${{ $from: [collection("pc_all")] }}                                 | ${["order.items.price", { $more_than: [700] }]}                       | ${true}
    ${"order.items.every"}          | ${{ $from: [collection("pc_all")] }}                                 | ${["order.items.price", { $more_than: [800] }]}                       | ${false}
    ${"order.items.none"}           | ${is(collection("pc_toys"))}                                         | ${null}                                                               | ${true}
    ${"order.items.none"}           | ${is(collection("pc_home"))}                                         | ${null}                                                               | ${false}
    ${"order.items.most_expensive"} | ${kitchen}                                                           | ${null}                                                               | ${false}
    ${"order.items.most_expensive"} | ${{ ...is(product("prod_pan")), $from: [collection("pc_kitchen")] }} | ${null}                                                               | ${true}
    ${"order.items.most_expensive"} | ${{ $in: [product("prod_pan"), product("prod_lamp")] }}              | ${["order.items.aggregated_amount", { $is: [8000] }]}                 | ${true}
    ${"order.items.cheapest"}       | ${is(product("prod_mug"))}                                           | ${["order.items.aggregated_quantity", { $more_than_or_equal: [2] }]}  | ${true}
    ${"order.items.cheapest"}       | ${is(product("prod_pan"))}                                           | ${null}                                                               | ${false}
    ${"order.items.cheapest"}       | ${{ $from: [collection("pc_toys")] }}                                | ${null}                                                               | ${false}
    ${"order.items.count"}          | ${{ $less_than: [5] }}                                               | ${null}                                                               | ${true}
  `("$name $conditions with $sub: $outcome", ({ name, conditions, sub, outcome }) => {
    expect(holds(leaf(name, conditions, sub === null ? {} : nested(sub)))).toBe(outcome);
  });
});

describe("quantifiers with negative operators and collections", () => {
  test.each`
    name                   | conditions                                                            | outcome
    ${"order.items.any"}   | ${{ $is_not: [product("prod_mug")] }}                                 | ${true}
    ${"order.items.any"}   | ${{ $not_in: [collection("pc_all")] }}                                | ${false}
    ${"order.items.every"} | ${{ $is_not: [collection("pc_toys")] }}                               | ${true}
    ${"order.items.every"} | ${{ $not_in: [product("prod_mug")] }}                                 | ${false}
    ${"order.items.any"}   | ${{ ...is(product("prod_lamp")), $from: [collection("pc_kitchen")] }} | ${false}
    ${"order.items.any"}   | ${{ ...is(product("prod_mug")), $from: [collection("pc_kitchen")] }}  | ${true}
    ${"order.items.any"}   | ${{ $from: [collection("pc_kitchen"), collection("pc_home")] }}       | ${false}
  `("$name $conditions: $outcome", ({ name, conditions, outcome }) => {
    expect(holds(leaf(name, conditions))).toBe(outcome);
  });
});

test("none ignores what is nested in it", () => {
  const nobody = leaf("customer.segment", { $is: ["seg_x"] });
  expect(holds(leaf("order.items.none", is(product("prod_x")), { rules: { "1": nobody } }))).toBe(true);
  expect(holds(leaf("product.id", { $is_not: ["prod_x"] }, { rules: { "1": nobody } }))).toBe(true);
});

describe("with any, one line must satisfy all per-line rules; aggregates are shared", () => {
  const red = { metadata: { color: "red" } };
  const items = [aProductLine("prod_mug", 500, 5), aProductLine("prod_mug", 900, 1, red)];
  const anyMug = (...subs: [string, object, object?][]) =>
    holds(leaf("order.items.any", is(product("prod_mug")), nested(...subs)), { order: { items } });

  test("a cheap line in quantity and a red one apart are not a red line in quantity", () => {
    const inQuantity: [string, object] = ["order.items.quantity", { $more_than: [3] }];
    const isRed: [string, object, object] = ["order.items.metadata", { $is: ["red"] }, { property: "color" }];
    const many: [string, object] = ["order.items.aggregated_quantity", { $is: [6] }];
    expect(anyMug(inQuantity)).toBe(true);
    expect(anyMug(isRed, many)).toBe(true);
    expect(anyMug(inQuantity, isRed)).toBe(false);
  });

  test("with every, each sub-rule must hold for every line", () => {
    const every = (limit: number) =>
      holds(
        leaf("order.items.every", is(product("prod_mug")), nested(["order.items.price", { $more_than: [limit] }])),
        { order: { items } },
      );
    expect([every(400), every(500)]).toEqual([true, false]);
  });
});

test("earlier item discounts lower the aggregated amount, not the price", () => {
  const order = { items: [aProductLine("prod_mug", 1000, 2, { discount_amount: 300 })] };
  const mug = is(product("prod_mug"));
  expect(
    holds(leaf("order.items.any", mug, nested(["order.items.aggregated_amount", { $is: [1700] }])), { order }),
  ).toBe(true);
  expect(holds(leaf("order.items.any", mug, nested(["order.items.price", { $is: [1000] }])), { order })).toBe(true);
});

test("a line without a price has the price amount ÷ quantity; without both it is neither cheap nor dear", () => {
  const items = [{ product_id: "prod_a", quantity: 4, amount: 1000 }, { product_id: "prod_b" }];
  expect(holds(leaf("order.items.price_any", { $is: [250] }), { order: { items } })).toBe(true);
  expect(holds(leaf("order.items.cheapest", is(product("prod_a"))), { order: { items } })).toBe(true);
  expect(holds(leaf("order.items.price_each", { $more_than: [0] }), { order: { items } })).toBe(false);
});

describe("what names a line", () => {
  const sku = { object: "sku", source_id: "mug-blue" };
  const lines = {
    bySourceId: { source_id: "mug", related_object: "product" as const, price: 1 },
    skuOfProduct: { product_id: "prod_mug", sku_id: "sku_blue", sku: { source_id: "mug-blue" }, price: 1 },
  };
  test.each`
    line              | operand                                            | outcome
    ${"bySourceId"}   | ${{ object: "product", source_id: "mug" }}         | ${true}
    ${"bySourceId"}   | ${{ object: "product", id: "mug" }}                | ${false}
    ${"skuOfProduct"} | ${product("prod_mug")}                             | ${true}
    ${"skuOfProduct"} | ${sku}                                             | ${true}
    ${"skuOfProduct"} | ${{ id: "sku_blue", type: "product_or_sku" }}      | ${true}
    ${"skuOfProduct"} | ${"sku_blue"}                                      | ${true}
    ${"skuOfProduct"} | ${{ ...product("prod_mug"), effect: "ignored" }}   | ${true}
    ${"skuOfProduct"} | ${{ id: "prod_mug", type: "products_collection" }} | ${false}
  `("$line is $operand: $outcome", ({ line, operand, outcome }) => {
    const order = { items: [lines[line as keyof typeof lines]] };
    expect(holds(leaf("order.items.any", { $is: [operand] }), { order })).toBe(outcome);
  });
});

describe("older product rules", () => {
  const items = [aProductLine("prod_mug", 800, 2), aProductLine("prod_mug", 800, 1), aProductLine("prod_pan", 4000)];
  const mug = { $is: [{ id: "prod_mug" }] };
  test.each`
    conditions                             | sub                                          | outcome
    ${mug}                                 | ${["product.quantity", { $is: [3] }]}        | ${true}
    ${mug}                                 | ${["product.quantity", { $more_than: [3] }]} | ${false}
    ${mug}                                 | ${["product.price", { $less_than: [900] }]}  | ${true}
    ${{ $in: ["prod_x", "prod_pan"] }}     | ${["product.price", { $is: [4000] }]}        | ${true}
    ${{ $is_not: ["prod_x"] }}             | ${null}                                      | ${true}
    ${{ $is_not: ["prod_mug"] }}           | ${null}                                      | ${false}
    ${{ $not_in: ["prod_x", "prod_pan"] }} | ${null}                                      | ${false}
  `("product.id $conditions with $sub: $outcome", ({ conditions, sub, outcome }) => {
    expect(holds(leaf("product.id", conditions, sub === null ? {} : nested(sub)), { order: { items } })).toBe(outcome);
  });

  const sized = (size: string | null, price = 1000) =>
    aProductLine("prod_shirt", price, 2, { product: { metadata: { size } } });
  const small = (...subs: [string, object, object?][]) =>
    leaf("product.metadata", { $is: ["S"] }, { property: "size", ...nested(...subs) });
  const property = { property: "size" };

  test("product.metadata: some line, with match_all every line", () => {
    const mixed = { order: { items: [sized("S"), sized("M")] } };
    const matchAll: [string, object, object] = ["product.metadata.match_all", { $is: [true] }, property];
    expect(holds(small(), mixed)).toBe(true);
    expect(holds(small(matchAll), mixed)).toBe(false);
    expect(holds(small(matchAll), { order: { items: [sized("S")] } })).toBe(true);
    expect(holds(small(["product.metadata.match_all", { $is: [false] }, property]), mixed)).toBe(true);
  });

  test("aggregates run over the lines that satisfy the parent", () => {
    const order = { items: [sized("S"), sized("M"), sized("S", 500)] };
    expect(holds(small(["product.metadata.aggregated_quantity", { $is: [4] }, property]), { order })).toBe(true);
    expect(holds(small(["product.metadata.aggregated_amount", { $is: [3000] }, property]), { order })).toBe(true);
  });

  test("discount_applicable puts the parent's lines into applicable_to", () => {
    const mark = (name: string): [string, object, object] => [name, { $is: [true] }, property];
    const byId = ruleOf({
      "1": leaf("product.id", { $in: ["prod_a", { id: "prod_b" }] }, nested(mark("product.discount_applicable"))),
    });
    expect(byId.applicable_to.included.map(({ object, id }) => `${object} ${id}`)).toEqual([
      "product prod_a",
      "product prod_b",
    ]);
    const bySize = ruleOf({ "1": small(mark("product.metadata.discount_applicable")) });
    const lines = aContext({ order: { items: [sized("S"), sized("M")] } }).order?.lines ?? [];
    expect(lines.map((line) => bySize.applicable_to.included[0]?.matches?.(line))).toEqual([true, false]);
  });
});

test("which metadata of a line: its own first, then its SKU's, then its product's", () => {
  const line = {
    metadata: { a: "line" },
    sku_id: "sku_1",
    sku: { metadata: { a: "sku", b: "sku" } },
    product: { metadata: { a: "product", b: "product", c: "product" } },
  };
  const metadata = (name: string, property: string, wanted: string) =>
    holds(leaf(name, { $is: [wanted] }, { property }), { order: { items: [line] } });
  expect(
    ["a", "b", "c"].map((key, i) => metadata("order.items.metadata_any", key, ["line", "sku", "product"][i]!)),
  ).toEqual([true, true, true]);
  expect(["a", "b", "c"].map((key, i) => metadata("product.metadata", key, ["sku", "sku", "product"][i]!))).toEqual([
    true,
    true,
    true,
  ]);
});

test("a line whose last unit was exchanged is no longer in the cart", () => {
  const order = { items: [aProductLine("prod_mug", 800, 0), aProductLine("prod_pan", 4000)] };
  expect(holds(leaf("order.items.any", is(product("prod_mug"))), { order })).toBe(false);
  expect(holds(leaf("order.items.every", is(product("prod_pan"))), { order })).toBe(true);
});

test("rules nested in a leaf that a scenario leaves out still look at the matched lines around it", () => {
  const cheap = leaf("order.items.price", { $less_than: [900] });
  const amount = leaf("order.amount", { $more_than: [1_000_000] }, { rules: { "1": cheap } });
  const anyOf = (id: string) => ({ "1": leaf("order.items.any", is(product(id)), { rules: { "1": amount } }) });
  const order = { items: [aProductLine("prod_mug", 800, 2), aProductLine("prod_pan", 4000)] };
  const context = aContext({ order, scenario: "ALL" });
  expect(ruleOf(anyOf("prod_mug")).judge(context)).toBeNull();
  expect(ruleOf(anyOf("prod_pan")).judge(context)).toEqual({ key: "order_rules_violated" });
});
