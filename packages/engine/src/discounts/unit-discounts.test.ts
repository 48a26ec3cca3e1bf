import { describe, expect, test } from "vitest";
import { aCoupon, decided, discounts, rendered } from "../decision/decision.fixtures.js";
import type { Discount } from "../facts.js";
import type { OrderInput } from "../orders/order.js";
import { aDiscount, aLine, anEntry, aRule, itemsIncluded, percentOff } from "./discounts.fixtures.js";
import type { UnitObject } from "./effect.js";

const unit = (unit_type: string, unit_off: number, effect: string): Discount => ({
  type: "UNIT",
  unit_type,
  unit_off,
  effect,
});

const objects = new Map<string, UnitObject>([
  ["soap", { product: { id: "soap", price: 450 }, sku: null }],
  ["towel", { product: { id: "towel", price: 320 }, sku: null }],
  ["towel_blue", { product: { id: "towel", price: 320 }, sku: { id: "towel_blue", product_id: "towel", price: 350 } }],
  ["large", { product: { id: "large", price: 950 }, sku: null }],
  ["plain", { product: { id: "plain", price: 600 }, sku: null }],
  ["prod_5h1pp1ng", { product: { id: "prod_5h1pp1ng", source_id: "5h1pp1ng", name: "Shipping" }, sku: null }],
]);

const given = (discount: Discount, order: OrderInput, rules = [aRule()]) =>
  decided([aCoupon(aDiscount(discount), { rules })], order, { unit_objects: objects });

describe("units given free, with 3 soaps of 450 in the cart", () => {
  const soaps = { items: [aLine("soap", 450, 3)] };
  test.each`
    discount                                  | line | fields                                                                                                                                                                    | raised
    ${unit("soap", 5, "ADD_MISSING_ITEMS")}   | ${0} | ${{ quantity: 5, initial_quantity: 3, discount_quantity: 5, amount: 2250, discount_amount: 2250, subtotal_amount: 0, applied_quantity: 2, applied_quantity_amount: 900 }} | ${900}
    ${unit("soap", 2, "ADD_MISSING_ITEMS")}   | ${0} | ${{ quantity: 3, initial_quantity: 3, discount_quantity: 2, amount: 1350, discount_amount: 900, subtotal_amount: 450 }}                                                   | ${0}
    ${unit("soap", 2, "ADD_NEW_ITEMS")}       | ${0} | ${{ quantity: 5, initial_quantity: 3, discount_quantity: 2, amount: 2250, discount_amount: 900, subtotal_amount: 1350 }}                                                  | ${900}
    ${unit("towel", 2, "ADD_NEW_ITEMS")}      | ${1} | ${{ quantity: 2, initial_quantity: 0, discount_quantity: 2, amount: 640, initial_amount: 0, discount_amount: 640, subtotal_amount: 0 }}                                   | ${640}
    ${unit("towel_blue", 1, "ADD_NEW_ITEMS")} | ${1} | ${{ quantity: 1, price: 350, discount_amount: 350 }}                                                                                                                      | ${350}
  `("$discount.effect $discount.unit_off $discount.unit_type", ({ discount, line, fields, raised }) => {
    const order = rendered(given(discount, soaps));
    expect(order?.items[line]).toMatchObject(fields);
    expect(order?.amount).toBe(1350 + raised);
    expect(order?.initial_amount).toBe(1350);
    expect(order?.total_amount).toBe(1350 + raised - (fields.discount_amount as number));
  });

  test("several lines of the product count together and are discounted in line order", () => {
    const items = [aLine("soap", 450, 1), aLine("soap", 400, 1)];
    const order = rendered(given(unit("soap", 3, "ADD_MISSING_ITEMS"), { items }));
    expect(order?.items.map(({ quantity, discount_amount }) => [quantity, discount_amount])).toEqual([
      [2, 900],
      [1, 400],
    ]);
  });

  test("a product is not one of its SKUs", () => {
    const items = [{ product_id: "towel", sku_id: "towel_blue", price: 350 }];
    expect(rendered(given(unit("towel", 1, "ADD_MISSING_ITEMS"), { items }))?.items).toHaveLength(2);
  });

  test("a unit already free is not given again", () => {
    const coupon = () => aCoupon(aDiscount(unit("soap", 2, "ADD_MISSING_ITEMS")));
    const decision = decided(
      [coupon(), coupon()],
      { items: [aLine("soap", 450, 2)] },
      {},
      { redeemables_no_effect_rule: "SKIP" },
    );
    expect(decision.outcomes.map(({ status }) => status)).toEqual(["APPLICABLE", "SKIPPED"]);
  });

  test("free units do not raise later percentages", () => {
    const redeemables = [aCoupon(aDiscount(unit("towel", 2, "ADD_NEW_ITEMS"))), aCoupon(percentOff(10))];
    expect(discounts(decided(redeemables, soaps, { unit_objects: objects }))).toEqual([640, 135]);
  });
});

describe("free shipping", () => {
  const shipping = unit("prod_5h1pp1ng", 1, "ADD_MISSING_ITEMS");
  test("without a price a line without amounts is added", () => {
    const order = rendered(given(shipping, { items: [aLine("soap", 450)] }));
    expect(order?.items[1]).toEqual({
      quantity: 1,
      initial_quantity: 0,
      discount_quantity: 1,
      applied_discount_quantity: 1,
      applied_quantity: 1,
    });
    expect(order?.total_amount).toBe(450);
  });

  test("a priced shipping line is discounted in full", () => {
    const items = [aLine("soap", 450), { source_id: "5h1pp1ng", price: 990 }];
    expect(rendered(given(shipping, { items }))?.total_amount).toBe(450);
  });
});

test("many units: existing lines keep their place, new ones follow in list order", () => {
  const discount: Discount = {
    type: "UNIT",
    effect: "ADD_MANY_ITEMS",
    units: [
      { unit_off: 1, unit_type: "towel", effect: "ADD_NEW_ITEMS" },
      { unit_off: 2, unit_type: "soap", effect: "ADD_MISSING_ITEMS" },
      { unit_off: 1, unit_type: "large", effect: "ADD_NEW_ITEMS" },
    ],
  };
  const decision = given(discount, { items: [aLine("soap", 450, 1)] });
  expect(decision.order?.lines.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
    ["soap", 2],
    ["towel", 1],
    ["large", 1],
  ]);
  expect(decision.outcomes[0]).toMatchObject({
    result: { discount: { effect: "ADD_MANY_ITEMS", units: [{ product: { id: "towel" } }, {}, {}] } },
  });
});

describe("replacing units", () => {
  const replace = (unit_type: string) => unit(unit_type, 1, "REPLACE_ITEMS");
  const two_small = [aRule({ applicable_to: itemsIncluded(anEntry("small", { quantity_limit: 2 })) })];
  const items = [aLine("small", 700, 4)];

  test("2 of 4 small (700) become large (950) at the price of small", () => {
    const order = rendered(given(replace("large"), { items }, two_small));
    expect(order).toMatchObject({ amount: 3300, total_amount: 2800, items_discount_amount: 500 });
    expect(order?.items).toMatchObject([
      { quantity: 2, amount: 1400, applied_quantity: -2, applied_quantity_amount: -1400 },
      { quantity: 2, initial_quantity: 0, amount: 1900, discount_amount: 500, subtotal_amount: 1400 },
    ]);
    expect(order?.items[0]?.application_details).toEqual([
      {
        source_index: 0,
        source_applied_quantity: -2,
        source_applied_quantity_amount: -1400,
        target_index: 1,
        target_applied_quantity: 2,
        target_applied_quantity_amount: 1900,
        target_applied_discount_amount: 500,
      },
    ]);
  });

  test("a cheaper target gives no discount and a lower total", () => {
    const order = rendered(given(replace("plain"), { items }, two_small));
    expect(order).toMatchObject({ amount: 2600, total_amount: 2600 });
  });

  test("without a limit one unit of each line is replaced", () => {
    const rules = [aRule({ applicable_to: itemsIncluded("small") })];
    expect(rendered(given(replace("large"), { items }, rules))?.items[1]?.quantity).toBe(1);
  });

  test("whatever is already the target stays, and gets what comes", () => {
    const cart = { items: [aLine("large", 950, 1), aLine("small", 700, 1)] };
    const rules = [aRule({ applicable_to: { included: [], excluded: [], included_all: true } })];
    const order = rendered(given(replace("large"), cart, rules));
    expect(order?.items).toMatchObject([
      { quantity: 2, amount: 1900, discount_amount: 250 },
      { quantity: 0, amount: 0, applied_quantity: -1 },
    ]);
    expect(order).toMatchObject({ amount: 1900, total_amount: 1650 });
  });

  test("of several lines names each, and adds to one target", () => {
    const cart = { items: [aLine("small", 700, 1), aLine("tiny", 300, 1)] };
    const rules = [aRule({ applicable_to: itemsIncluded("small", "tiny") })];
    const order = rendered(given(unit("large", 2, "REPLACE_ITEMS"), cart, rules));
    expect(order?.items.map((line) => line.application_details?.[0]?.target_applied_discount_amount)).toEqual([
      1200,
      1600,
      undefined,
    ]);
    expect(order?.items[2]).toMatchObject({ quantity: 4, amount: 3800, discount_amount: 2800 });
    expect(order?.total_amount).toBe(1000);
  });

  test("bundles multiply what is replaced", () => {
    const bundle = { limit: 3, conditions: [{ item: anEntry("small"), quantity: 1 }] };
    const rules = [aRule({ applicable_to: itemsIncluded("small"), bundle })];
    expect(rendered(given(replace("large"), { items }, rules))?.items[0]?.quantity).toBe(1);
  });

  test("takes no more from the order than discounts before have left", () => {
    const free = aCoupon(percentOff(100));
    const rules = [aRule({ applicable_to: itemsIncluded(anEntry("small", { quantity_limit: 9 })) })];
    for (const small of [aLine("small", 700, 4), { product_id: "small", amount: 100, quantity: 3 }]) {
      for (const target of ["plain", "third"]) {
        const unit_objects = new Map([...objects, ["third", { product: { id: "third", price: 33 }, sku: null }]]);
        const coupon = aCoupon(aDiscount(replace(target)), { rules });
        expect(rendered(decided([free, coupon], { items: [small] }, { unit_objects }))?.total_amount).toBe(0);
      }
    }
  });

  test("all units of a line whose amount alone is known may go, though a third of it is not a whole number", () => {
    const small = { product_id: "small", amount: 200, quantity: 3 };
    const rules = [aRule({ applicable_to: itemsIncluded(anEntry("small", { quantity_limit: 9 })) })];
    const order = rendered(given(replace("plain"), { items: [small] }, rules));
    expect(order?.items).toMatchObject([
      { quantity: 0, amount: 0 },
      { quantity: 3, amount: 1800, discount_amount: 1600 },
    ]);
    expect(order?.total_amount).toBe(200);
  });

  test("an unpriced target replaces nothing", () => {
    expect(rendered(given(replace("prod_5h1pp1ng"), { items }, two_small))?.items).toHaveLength(1);
  });
});

describe("in products mode ONCE", () => {
  const soaps = [aLine("soap", 450, 1), aLine("soap", 400, 1, { metadata: { gift: true } })];
  const first_only = anEntry("any", { matches: (line) => line.index === 0 });
  const before = aCoupon(percentOff(10, { effect: "APPLY_TO_ITEMS" }), {
    rules: [aRule({ applicable_to: itemsIncluded(first_only) })],
  });
  const ONCE = { redeemables_products_application_mode: "ONCE" as const };
  const after = (discount: Discount, items = soaps, rules = [aRule()]) =>
    rendered(decided([before, aCoupon(aDiscount(discount), { rules })], { items }, { unit_objects: objects }, ONCE));

  test("units are given on the lines that are still untouched", () => {
    const order = after(unit("soap", 3, "ADD_MISSING_ITEMS"));
    expect(order?.items).toMatchObject([
      { quantity: 1, discount_amount: 45 },
      { quantity: 2, discount_quantity: 2, discount_amount: 800 },
    ]);
  });

  test("no unit is given where all lines were touched", () => {
    expect(after(unit("soap", 1, "ADD_NEW_ITEMS"), soaps.slice(0, 1))?.items).toMatchObject([
      { quantity: 1, discount_amount: 45 },
    ]);
  });

  test("nothing is replaced by what was discounted, nor what was discounted itself", () => {
    const all = [aRule({ applicable_to: { included: [], excluded: [], included_all: true } })];
    const small = [aLine("soap", 450, 1), aLine("small", 700, 1)];
    expect(after(unit("soap", 1, "REPLACE_ITEMS"), small, all)?.total_amount).toBe(1105);
    expect(after(unit("small", 1, "REPLACE_ITEMS"), small, all)?.total_amount).toBe(1105);
  });
});

describe("units given free", () => {
  test("go down to what the order has left, and count as given all the same", () => {
    const redeemables = [aCoupon(percentOff(100)), aCoupon(aDiscount(unit("soap", 1, "ADD_MISSING_ITEMS")))];
    const decision = decided(
      redeemables,
      { items: [aLine("soap", 450, 2)] },
      {},
      { redeemables_no_effect_rule: "SKIP" },
    );
    expect(discounts(decision)).toEqual([900, 0]);
    expect(rendered(decision)?.items[0]).toMatchObject({ quantity: 2, discount_quantity: 1 });
    expect(decision.outcomes[1]).toMatchObject({ status: "APPLICABLE" });
  });

  test("a stored order's free units are not given again", () => {
    const items = [aLine("soap", 450, 3, { discount_quantity: 2, discount_amount: 900 })];
    const order = rendered(given(unit("soap", 2, "ADD_MISSING_ITEMS"), { items }));
    expect(order?.items[0]).toMatchObject({
      discount_quantity: 3,
      discount_amount: 1350,
      applied_discount_amount: 450,
    });
  });

  test("the same product twice in a list is given twice", () => {
    const twice = { unit_off: 1, unit_type: "towel", effect: "ADD_NEW_ITEMS" };
    const order = rendered(given({ type: "UNIT", units: [twice, twice] }, { items: [] }));
    expect(order?.items).toMatchObject([
      { quantity: 2, initial_quantity: 0, discount_quantity: 2, discount_amount: 640 },
    ]);
  });

  test("without a price anywhere neither order nor line has an amount", () => {
    const order = rendered(given(unit("unknown", 2, "ADD_NEW_ITEMS"), { items: [] }));
    expect(order).toEqual({
      items: [
        { quantity: 2, initial_quantity: 0, discount_quantity: 2, applied_discount_quantity: 2, applied_quantity: 2 },
      ],
    });
  });

  test.each`
    unit_off | formula  | quantity
    ${0}     | ${null}  | ${3}
    ${5}     | ${"0"}   | ${3}
    ${5}     | ${"0.9"} | ${3}
    ${5}     | ${"0-4"} | ${3}
    ${5}     | ${"1.9"} | ${4}
    ${5}     | ${"1/0"} | ${8}
  `("unit_off $unit_off with the formula $formula on 3 units leaves $quantity", ({ unit_off, formula, quantity }) => {
    const discount = { ...unit("soap", unit_off, "ADD_NEW_ITEMS"), unit_off_formula: formula };
    expect(rendered(given(discount, { items: [aLine("soap", 450, 3)] }))?.items[0]?.quantity).toBe(quantity);
  });
});
