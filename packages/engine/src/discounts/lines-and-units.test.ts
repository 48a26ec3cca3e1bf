import { describe, expect, test } from "vitest";
import { aCoupon, aTier, decided, discounts, rendered } from "../decision/decision.fixtures.js";
import type { OrderLineInput } from "../orders/order.js";
import type { ApplicableEntry, ApplicableTo } from "../rules/contract.js";
import {
  aLine,
  amountOff,
  anEntry,
  anItem,
  aRule,
  fixed,
  itemsIncluded,
  percentOff,
  workedCart,
} from "./discounts.fixtures.js";

const ITEMS = { effect: "APPLY_TO_ITEMS" };
const BY_QUANTITY = { effect: "APPLY_TO_ITEMS_BY_QUANTITY" };
const inCollection = (id: string, line: { product_id: string | null }) => id === `pc_${line.product_id}`;

const lineDiscounts = (
  discount: Parameters<typeof aCoupon>[0],
  applicable_to: ApplicableTo,
  items: readonly OrderLineInput[] = workedCart.items ?? [],
) => {
  const decision = decided(
    [aCoupon(discount, { rules: [aRule({ applicable_to })] })],
    { items },
    { in_collection: inCollection },
  );
  return rendered(decision)?.items.map((line) => line.discount_amount ?? 0);
};

describe("which lines belong to which entry", () => {
  const dress = { product_id: "dress", sku_id: "dress_red", price: 100, quantity: 1 };
  const items = [dress, aLine("dress", 100), aLine("hat", 100)];
  const entry = (object: ApplicableEntry["object"], id: string, amount: number, more = {}) =>
    anEntry(id, { object, price: 100 - amount, ...more });
  test.each`
    name                                      | applicable_to                                                                                                                               | lines
    ${"nothing is named"}                     | ${itemsIncluded()}                                                                                                                          | ${[0, 0, 0]}
    ${"everything is included"}               | ${{ included: [], excluded: [], included_all: true }}                                                                                       | ${[9, 9, 9]}
    ${"only an exclusion is given"}           | ${{ included: [], excluded: [anItem("hat")], included_all: false }}                                                                         | ${[9, 9, 0]}
    ${"a product covers its SKUs"}            | ${itemsIncluded(entry("product", "dress", 1))}                                                                                              | ${[1, 1, 0]}
    ${"a strict product does not"}            | ${itemsIncluded(entry("product", "dress", 1, { strict: true }))}                                                                            | ${[0, 1, 0]}
    ${"a SKU is only itself"}                 | ${itemsIncluded(entry("sku", "dress_red", 1))}                                                                                              | ${[1, 0, 0]}
    ${"SKU before product before collection"} | ${itemsIncluded(entry("products_collection", "pc_dress", 3), entry("product", "dress", 2, { strict: true }), entry("sku", "dress_red", 1))} | ${[1, 2, 0]}
    ${"of equals the first of the list"}      | ${itemsIncluded(entry("product", "hat", 5), entry("product", "hat", 7))}                                                                    | ${[0, 0, 5]}
    ${"excluded beats included"}              | ${{ ...itemsIncluded(entry("products_collection", "pc_hat", 3)), excluded: [anItem("hat")] }}                                               | ${[0, 0, 0]}
    ${"entries, and the rest without limits"} | ${{ ...itemsIncluded(entry("product", "hat", 5)), included_all: true }}                                                                     | ${[9, 9, 5]}
  `("$name: $lines", ({ applicable_to, lines }) => {
    expect(lineDiscounts(fixed(91, ITEMS), applicable_to, items)).toEqual(lines);
  });

  test("a source id suffices", () => {
    const items = [
      { source_id: "shop_1", related_object: "sku" as const, product_id: "p", price: 100 },
      { source_id: "shop_1", price: 100 },
    ];
    const named = anEntry("", { object: "sku", id: null, source_id: "shop_1" });
    expect(lineDiscounts(amountOff(10, ITEMS), itemsIncluded(named), items)).toEqual([10, 0]);
  });
});

describe("which units count", () => {
  const cart = [aLine("pen", 300, 5), aLine("cap", 900, 2), aLine("bag", 2600, 1)];
  const all = (more: Partial<ApplicableEntry>) =>
    itemsIncluded(...["pen", "cap", "bag"].map((id) => anEntry(id, more)), anEntry("pc", more));
  const one = (more: Partial<ApplicableEntry>): ApplicableTo => ({
    included: [anEntry("any", { object: "products_collection", matches: () => true, ...more })],
    excluded: [],
    included_all: false,
  });
  test.each`
    effect                         | target    | skip | repeat | lines
    ${"APPLY_FROM_CHEAPEST"}       | ${"UNIT"} | ${2} | ${3}   | ${[200, 200, 0]}
    ${"APPLY_TO_EVERY"}            | ${"ITEM"} | ${0} | ${1}   | ${[1000, 400, 200]}
    ${"APPLY_TO_EVERY"}            | ${"ITEM"} | ${1} | ${1}   | ${[0, 400, 200]}
    ${"APPLY_TO_EVERY"}            | ${"ITEM"} | ${0} | ${2}   | ${[1000, 0, 200]}
    ${"APPLY_TO_CHEAPEST"}         | ${"ITEM"} | ${0} | ${1}   | ${[1000, 0, 0]}
    ${"APPLY_TO_CHEAPEST"}         | ${"UNIT"} | ${0} | ${1}   | ${[200, 0, 0]}
    ${"APPLY_TO_CHEAPEST"}         | ${"UNIT"} | ${5} | ${1}   | ${[0, 200, 0]}
    ${"APPLY_TO_MOST_EXPENSIVE"}   | ${"UNIT"} | ${0} | ${1}   | ${[0, 0, 200]}
    ${"APPLY_FROM_MOST_EXPENSIVE"} | ${"UNIT"} | ${1} | ${2}   | ${[600, 200, 0]}
    ${"APPLY_FROM_MOST_EXPENSIVE"} | ${"UNIT"} | ${9} | ${1}   | ${[0, 0, 0]}
  `("$effect $target, skip $skip, every $repeat: $lines", ({ effect, target, skip, repeat, lines }) => {
    const applicable_to = one({ effect, target, skip_initially: skip, repeat });
    expect(lineDiscounts(amountOff(200, BY_QUANTITY), applicable_to, cart)).toEqual(lines);
  });

  test("A 900, B 700, C 700, D 300 from the most expensive, skip one, every second: B and D", () => {
    const items = [aLine("A", 900), aLine("B", 700), aLine("C", 700), aLine("D", 300)];
    const applicable_to = one({ effect: "APPLY_FROM_MOST_EXPENSIVE", skip_initially: 1, repeat: 2 });
    expect(lineDiscounts(amountOff(100, ITEMS), applicable_to, items)).toEqual([0, 100, 0, 100]);
  });

  test("each entry sorts and skips its own lines", () => {
    expect(lineDiscounts(amountOff(200, BY_QUANTITY), all({ target: "UNIT", skip_initially: 1 }), cart)).toEqual([
      800, 200, 0,
    ]);
  });

  test("sorting is by unit price, not by line amount, also where only the amount is known", () => {
    const items = [aLine("A", 100, 9), { product_id: "B", amount: 500, quantity: 4 }, aLine("C", 110)];
    expect(lineDiscounts(amountOff(10, ITEMS), one({ effect: "APPLY_TO_MOST_EXPENSIVE" }), items)).toEqual([0, 10, 0]);
  });

  test("a billion units are counted, not walked through", () => {
    const items = [aLine("A", 1, 1_000_000_000)];
    const applicable_to = one({ target: "UNIT", skip_initially: 1, repeat: 3 });
    expect(lineDiscounts(amountOff(1, BY_QUANTITY), applicable_to, items)).toEqual([333_333_333]);
  });
});

describe("the order of application", () => {
  const any = (more: Partial<ApplicableEntry>) => itemsIncluded(anEntry("any", { matches: () => true, ...more }));
  /** The lines, in the order in which an amount that suffices for all but the last is used up. */
  const applied = (
    more: Partial<ApplicableEntry>,
    items: OrderLineInput[],
    before: Parameters<typeof aCoupon>[0][] = [],
  ) => {
    const rules = [aRule({ applicable_to: any(more) })];
    const first = before.map((discount) =>
      aCoupon(discount, { rules: [aRule({ applicable_to: itemsIncluded("B") })] }),
    );
    const { outcomes } = decided([...first, aCoupon(amountOff(1, ITEMS), { rules })], { items });
    const last = outcomes.at(-1);
    return last?.status === "APPLICABLE" ? last.applicable_to[0]?.order_item_indices : null;
  };
  const items = [aLine("A", 700, 2), aLine("B", 700, 2), aLine("C", 700, 1), aLine("D", 100, 9), aLine("E", 900)];
  test.each`
    effect                         | before                   | indices
    ${"APPLY_TO_EVERY"}            | ${[]}                    | ${[0, 1, 2, 3, 4]}
    ${"APPLY_FROM_CHEAPEST"}       | ${[]}                    | ${[3, 2, 0, 1, 4]}
    ${"APPLY_FROM_MOST_EXPENSIVE"} | ${[]}                    | ${[4, 2, 0, 1, 3]}
    ${"APPLY_FROM_CHEAPEST"}       | ${[amountOff(1, ITEMS)]} | ${[3, 2, 1, 0, 4]}
    ${"APPLY_FROM_MOST_EXPENSIVE"} | ${[amountOff(1, ITEMS)]} | ${[4, 2, 1, 0, 3]}
    ${"APPLY_TO_CHEAPEST"}         | ${[]}                    | ${[3]}
    ${"APPLY_TO_MOST_EXPENSIVE"}   | ${[]}                    | ${[4]}
  `(
    "$effect: by unit price, then by what is left of the line, then as requested: $indices",
    ({ effect, before, indices }) => {
      expect(applied({ effect }, items, before)).toEqual(indices);
    },
  );

  test("lines without units or without a price take no place in it", () => {
    const holes = [aLine("A", 100, 0), { product_id: "B" }, aLine("C", 100), aLine("D", 100)];
    expect(applied({ skip_initially: 1 }, holes)).toEqual([3]);
    expect(applied({ effect: "APPLY_TO_CHEAPEST" }, holes)).toEqual([2]);
  });

  test("the one line of APPLY_TO_CHEAPEST has all its units discounted, or the one unit that is asked for", () => {
    const cheapest = (target: "ITEM" | "UNIT") =>
      lineDiscounts(percentOff(100, ITEMS), any({ effect: "APPLY_TO_CHEAPEST", target }), items);
    expect(cheapest("ITEM")).toEqual([0, 0, 0, 900, 0]);
    expect(cheapest("UNIT")).toEqual([0, 0, 0, 100, 0]);
  });

  test("an amount for all lines is used up entry by entry, then line by line", () => {
    const applicable_to = itemsIncluded("B", anEntry("any", { matches: () => true, effect: "APPLY_FROM_CHEAPEST" }));
    const discount = amountOff(1000, { ...ITEMS, aggregated_amount_limit: 2000 });
    // B is the first entry's; of the rest D comes first, and C gets what is left.
    expect(lineDiscounts(discount, applicable_to, items)).toEqual([0, 1000, 100, 900, 0]);
  });
});

describe("limits of an entry", () => {
  const entry = (more: Partial<ApplicableEntry>): ApplicableTo => ({
    included: [
      anEntry("any", { object: "products_collection", matches: (line) => line.product_id !== "pin", ...more }),
    ],
    excluded: [],
    included_all: false,
  });
  test.each`
    limits                                                                 | discount                        | lines
    ${{ quantity_limit: 3 }}                                               | ${percentOff(20, ITEMS)}        | ${[750, 640, 3100]}
    ${{ aggregated_quantity_limit: 5 }}                                    | ${percentOff(20, ITEMS)}        | ${[1000, 640, 0]}
    ${{ quantity_limit: 3, aggregated_quantity_limit: 5 }}                 | ${percentOff(20, ITEMS)}        | ${[750, 640, 1550]}
    ${{ amount_limit: 700 }}                                               | ${percentOff(20, ITEMS)}        | ${[700, 640, 700]}
    ${{ aggregated_amount_limit: 1500 }}                                   | ${percentOff(20, ITEMS)}        | ${[1000, 500, 0]}
    ${{ aggregated_amount_limit: 6000 }}                                   | ${amountOff(1300, BY_QUANTITY)} | ${[5000, 1000, 0]}
    ${{ price: 1000 }}                                                     | ${fixed(null, ITEMS)}           | ${[1000, 2200, 13500]}
    ${{ price: 1000, quantity_limit: 1 }}                                  | ${fixed(500, ITEMS)}            | ${[250, 2200, 6750]}
    ${{}}                                                                  | ${fixed(null, ITEMS)}           | ${[0, 0, 0]}
    ${{ price: 1000 }}                                                     | ${percentOff(20, ITEMS)}        | ${[1000, 640, 3100]}
    ${{ price: 1300, amount_limit: 700 }}                                  | ${fixed(1, ITEMS)}              | ${[0, 700, 700]}
    ${{ quantity_limit: 1 }}                                               | ${fixed(2900, ITEMS)}           | ${[0, 300, 4850]}
    ${{ quantity_limit: 2, target: "UNIT", repeat: 2 }}                    | ${amountOff(10, BY_QUANTITY)}   | ${[20, 10, 10]}
    ${{ aggregated_quantity_limit: 2, target: "UNIT", skip_initially: 3 }} | ${amountOff(10, BY_QUANTITY)}   | ${[10, 10, 0]}
    ${{ aggregated_quantity_limit: 5 }}                                    | ${amountOff(10, ITEMS)}         | ${[10, 10, 0]}
  `("$limits: $lines", ({ limits, discount, lines }) => {
    expect(lineDiscounts(discount, entry(limits))).toEqual([...lines, 0]);
  });
});

describe("products mode", () => {
  const rules = [aRule({ applicable_to: itemsIncluded("a", "b") })];
  const items = [aLine("a", 1000), aLine("b", 1000)];
  const only_a = [aRule({ applicable_to: itemsIncluded("a") })];
  test.each`
    mode       | taken
    ${"STACK"} | ${[500, 750, 750]}
    ${"ONCE"}  | ${[500, 500, 1000]}
  `("$mode: $taken", ({ mode, taken }) => {
    const redeemables = [
      aCoupon(percentOff(50, ITEMS), { rules: only_a }),
      aTier(percentOff(50, ITEMS), { rules }),
      aCoupon(amountOff(1000, { effect: "APPLY_TO_ORDER" })),
    ];
    const decision = decided(redeemables, { items }, {}, { redeemables_products_application_mode: mode });
    expect(discounts(decision)).toEqual(taken);
  });
});

describe("a fraction of a unit", () => {
  test("is floored before it caps an amount, and rounded once for a percentage", () => {
    const items = [{ product_id: "a", amount: 100, quantity: 3 }];
    const two = itemsIncluded(anEntry("a", { quantity_limit: 2 }));
    expect(lineDiscounts(amountOff(99, ITEMS), two, items)).toEqual([66]);
    expect(lineDiscounts(percentOff(100, ITEMS), two, items)).toEqual([67]);
  });
});

test("what a selection met is answered with its lines and units", () => {
  const items = [aLine("pen", 300, 5), aLine("cap", 900, 2), aLine("bag", 2600, 1)];
  const pens_and_caps = anEntry("pc_1", {
    object: "products_collection",
    effect: "APPLY_FROM_CHEAPEST",
    target: "UNIT",
    skip_initially: 2,
    repeat: 3,
  });
  const rule = aRule({ applicable_to: { included: [pens_and_caps], excluded: [anItem("bag")], included_all: false } });
  const decision = decided(
    [aCoupon(amountOff(200, BY_QUANTITY), { rules: [rule] })],
    { items },
    { in_collection: () => true },
  );
  const [outcome] = decision.outcomes;
  expect(outcome).toMatchObject({
    applicable_to: [
      {
        object: "products_collection",
        id: "pc_1",
        strict: false,
        order_item_indices: [0, 1],
        order_item_units: [
          { index: 0, units: [3] },
          { index: 1, units: [1] },
        ],
      },
      { object: "product", id: "pen", strict: true, order_item_indices: [0] },
      { object: "product", id: "cap", strict: true, order_item_indices: [1] },
    ],
    inapplicable_to: [{ object: "product", id: "bag", order_item_indices: [2] }],
  });
});

describe("in an order of more than a thousand units", () => {
  test.each`
    units   | listed
    ${999}  | ${[{ index: 0, units: [1] }]}
    ${1000} | ${[{ index: 0, units_limit_exceeded: true }]}
  `("single units are not listed, and count all the same: $units and one more", ({ units, listed }) => {
    const first_only = anEntry("A", { target: "UNIT", aggregated_quantity_limit: 1 });
    const rules = [aRule({ applicable_to: itemsIncluded(first_only) })];
    const items = [aLine("A", 10, units), aLine("B", 10)];
    const decision = decided([aCoupon(amountOff(1, BY_QUANTITY), { rules })], { items });
    expect(discounts(decision)).toEqual([1]);
    expect(decision.outcomes[0]).toMatchObject({ applicable_to: [{ order_item_units: listed }] });
  });
});

test("limits hold units back in the order in which they are listed", () => {
  const every_second = anEntry("A", { target: "UNIT", skip_initially: 1, repeat: 2, quantity_limit: 2 });
  const rules = [aRule({ applicable_to: itemsIncluded(every_second) })];
  const decision = decided([aCoupon(amountOff(1, BY_QUANTITY), { rules })], { items: [aLine("A", 10, 9)] });
  expect(decision.outcomes[0]).toMatchObject({
    applicable_to: [{ order_item_units: [{ index: 0, units: [2, 4] }] }],
  });
});

test("an order-level discount lists the items of its rule and pays no heed to them", () => {
  const rule = aRule({ applicable_to: itemsIncluded("cup") });
  const decision = decided([aCoupon(percentOff(10, { effect: "APPLY_TO_ORDER" }), { rules: [rule] })], workedCart);
  expect(discounts(decision)).toEqual([2430]);
  expect(decision.outcomes[0]).toMatchObject({ applicable_to: [{ id: "cup", order_item_indices: [0] }] });
});
