import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseOrder } from "../orders/normalise.js";
import type { OrderInput } from "../orders/order.js";
import { aCustomer, noon } from "../rules/rules.fixtures.js";
import {
  checkPointsFormula,
  compilePoints,
  type EarningSituation,
  type PointsCalculation,
  type PointsSource,
} from "./points.js";
import { multipliedFormula, type PointsMapping } from "./tier-mapping.js";

interface Given {
  order?: OrderInput;
  customer?: Record<string, unknown>;
  event?: Record<string, unknown>;
  /** Product ids by collection. */
  collections?: Record<string, string[]>;
}

const situationOf = ({ order, customer, event, collections = {} }: Given): EarningSituation => ({
  instant: noon,
  time_zone: "Europe/Warsaw",
  customer: customer ? aCustomer({ metadata: customer }) : null,
  order: order ? normaliseOrder(order) : null,
  event_metadata: event ?? null,
  in_collection: (id, line) => collections[id]?.includes(line.product_id ?? "") ?? false,
});

const fixed: PointsSource = {
  calculation: "FIXED",
  points: 10,
  points_formula: null,
  every: 1,
  property: null,
  items: [],
};
const product = (id: string) => ({ object: "product" as const, id });
const per = (calculation: PointsCalculation, every: number, points: number, more: Partial<PointsSource> = {}) => ({
  ...fixed,
  calculation,
  every,
  points,
  ...more,
});
const pay = (source: PointsSource, given: Given = {}, mapping: PointsMapping | null = null) =>
  compilePoints(source)(situationOf(given), mapping);

const line = (product_id: string, amount: number, more: object = {}) => ({ product_id, amount, ...more });

describe("points are paid for each whole step, and the sum is divided once", () => {
  const discounted = { amount: 5300, discount_amount: 1200 };
  const bags = { order: { amount: 1, metadata: { bags: 11 } } };
  const lines = { order: { items: [line("P", 610), line("Q", 140), line("R", 999)] } };
  const skus = { order: { items: [line("P", 450, { sku_id: "P-red" }), line("P", 450, { sku_id: "P-blue" })] } };
  test.each<[string, PointsSource, Given, number]>([
    ["a: before discounts", per("ORDER_AMOUNT", 700, 3), { order: discounted }, 21],
    ["b: after discounts", per("ORDER_TOTAL_AMOUNT", 700, 3), { order: discounted }, 15],
    [
      "c: units, of which two were given for nothing",
      per("ORDER_ITEMS_QUANTITY", 3, 4, { items: [product("P")] }),
      { order: { items: [line("P", 700, { quantity: 7, discount_quantity: 2 })] } },
      4,
    ],
    ["d: two of three products", per("ORDER_ITEMS_AMOUNT", 250, 2, { items: [product("P"), product("Q")] }), lines, 6],
    [
      "e: a line less what was taken off it",
      per("ORDER_ITEMS_SUBTOTAL_AMOUNT", 250, 2, { items: [product("P")] }),
      { order: { items: [line("P", 610, { discount_amount: 120 })] } },
      2,
    ],
    ["f: a number that the shop keeps with the order", per("ORDER_METADATA", 4, 9, { property: "bags" }), bags, 18],
    ["g: less than a step", per("CUSTOMER_METADATA", 6, 5, { property: "visits" }), { customer: { visits: 5 } }, 0],
    ["the sample of the reference", per("ORDER_AMOUNT", 500, 10), { order: { amount: 45000 } }, 900],
    ["two lines of 450 by steps of 700", per("ORDER_ITEMS_AMOUNT", 700, 1, { items: [product("P")] }), skus, 1],
    ["a product with all its SKUs", per("ORDER_ITEMS_QUANTITY", 1, 1, { items: [product("P")] }), skus, 2],
    ["one SKU alone", per("ORDER_ITEMS_AMOUNT", 450, 1, { items: [{ object: "sku", id: "P-red" }] }), skus, 1],
    [
      "a line that several entries match once",
      per("ORDER_ITEMS_AMOUNT", 100, 1, {
        items: [product("P"), product("P"), { object: "products_collection", id: "pc" }],
      }),
      { ...lines, collections: { pc: ["P", "R"] } },
      16,
    ],
    ["an order that its items price", per("ORDER_AMOUNT", 100, 1), lines, 17],
    ["an order without any price", per("ORDER_AMOUNT", 100, 1), { order: { items: [{ product_id: "P" }] } }, 0],
    ["nothing, where there is no order", per("ORDER_AMOUNT", 100, 1), {}, 0],
    ["metadata of the event", per("CUSTOM_EVENT_METADATA", 2, 3, { property: "km" }), { event: { km: 7.9 } }, 9],
    [
      "metadata inside of metadata",
      per("ORDER_METADATA", 1, 1, { property: "a.b" }),
      { order: { metadata: { a: { b: 3 } } } },
      3,
    ],
    ...[null, "12", true, [12], {}, -12, 0].map((visits): [string, PointsSource, Given, number] => [
      `nothing for ${JSON.stringify(visits)}`,
      per("CUSTOMER_METADATA", 1, 5, { property: "visits" }),
      { customer: { visits } },
      0,
    ]),
  ])("%s", (_case, source, given, points) => {
    expect(pay(source, given)).toBe(points);
  });
});

describe("a tier", () => {
  const order = { order: { amount: 5300 } };
  const case_a = per("ORDER_AMOUNT", 700, 3);
  test.each<[string, PointsSource, PointsMapping | null, number]>([
    ["without a mapping leaves the points as they are", case_a, null, 21],
    ["multiplies them", case_a, { type: "MULTIPLY", multiplier: 2 }, 42],
    ["pays points of its own for each step", case_a, { type: "CUSTOM", points: 5 }, 35],
    ["pays points of its own", fixed, { type: "CUSTOM", points: 4 }, 4],
    ["drops fractions at the end", fixed, { type: "MULTIPLY", multiplier: 1.57 }, 15],
    ["multiplies exactly", per("ORDER_AMOUNT", 5300, 100), { type: "MULTIPLY", multiplier: 0.29 }, 29],
    ["pays nothing times nothing", fixed, { type: "MULTIPLY", multiplier: 0 }, 0],
  ])("%s", (_case, source, mapping, points) => {
    expect(pay(source, order, mapping)).toBe(points);
  });
});

describe("a formula", () => {
  const by = (points_formula: string, source: PointsSource = fixed) => ({ ...source, points_formula });
  const cart = { order: { amount: 5300, metadata: { bags: 11 } }, customer: { visits: 2 }, event: { km: 3 } };
  test.each<[string, PointsSource, number]>([
    ["takes the place of the points", by("ORDER_AMOUNT"), 53],
    [
      "looks at metadata of order, customer and event",
      by('ORDER_METADATA("bags")+CUSTOMER_METADATA("visits")+CUSTOM_EVENT_METADATA("km")'),
      16,
    ],
    ["is counted for each step, and rounded down at the very end", by("2.5", per("ORDER_AMOUNT", 1000, 1)), 12],
    ["that is negative pays nothing", by("0 - 5"), 0],
    ["that comes to nothing falls back on the points", by('ORDER_METADATA("boxes")'), 10],
    ["that comes to a text falls back on the points", by('"many"'), 10],
    ["that divides by zero falls back on the points", by("1 / 0"), 10],
    ["cannot ask about what is redeemed", by("VOUCHER_REDEEMED_QUANTITY"), 10],
    ["nor about a line at hand", by("ORDER_ITEM_PRICE"), 10],
  ])("%s", (_case, source, points) => {
    expect(pay(source, cart)).toBe(points);
  });

  test.each([2, 0.1, 1e-7, 123_456.789])("is worth %d times as much where it is shown so", (multiplier) => {
    const formula = "2.5 + ORDER_AMOUNT - 7";
    const shown = pay(by(multipliedFormula(formula, multiplier)), cart);
    expect(shown).toBe(pay(by(formula), cart, { type: "MULTIPLY", multiplier }));
  });

  test("is followed by what the tier makes of it, and replaced by points of the tier's own", () => {
    expect(pay(by("2.5"), cart, { type: "MULTIPLY", multiplier: 2 })).toBe(5);
    expect(pay(by("2.5"), cart, { type: "CUSTOM", points: 7 })).toBe(7);
  });

  test("that makes no sense is told before it is stored", () => {
    expect(checkPointsFormula("ORDER_AMOUNT * 2")).toBeNull();
    expect(checkPointsFormula("ORDER_AMOUNT *")).toMatch(/ends/);
    expect(checkPointsFormula("PRICE")).toBe("unknown name 'PRICE'");
  });
});

describe("whatever is earned", () => {
  const amount = fc.oneof(fc.nat(), fc.maxSafeNat());
  const mapping = fc.oneof(
    fc.constant(null),
    fc.record({ type: fc.constant("MULTIPLY" as const), multiplier: fc.double({ min: 0, max: 1e6, noNaN: true }) }),
    fc.record({ type: fc.constant("CUSTOM" as const), points: fc.nat() }),
  );
  const source = fc
    .record({ every: fc.integer({ min: 1, max: 1e6 }), points: fc.nat() })
    .map(({ every, points }) => per("ORDER_AMOUNT", every, points));

  test("is a whole number that JSON holds, and never less than nothing", () => {
    fc.assert(
      fc.property(
        source,
        amount,
        mapping,
        fc.option(fc.constantFrom("0-1", "1/3", "POW(10;99)", "ORDER_AMOUNT*1.5")),
        (of, sum, tier, points_formula) => {
          const points = pay({ ...of, points_formula }, { order: { amount: sum } }, tier);
          expect(Number.isSafeInteger(points)).toBe(true);
          expect(points).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test("does not become less when the order becomes more", () => {
    fc.assert(
      fc.property(source, amount, amount, mapping, (of, a, b, tier) => {
        const paid = (sum: number) => pay(of, { order: { amount: sum } }, tier);
        expect(paid(Math.min(a, b))).toBeLessThanOrEqual(paid(Math.max(a, b)));
      }),
    );
  });

  test("is as much for one order of two as for two of one, or more", () => {
    fc.assert(
      fc.property(source, fc.nat(), fc.nat(), (of, a, b) => {
        const paid = (sum: number) => pay(of, { order: { amount: sum } });
        expect(paid(a + b)).toBeGreaterThanOrEqual(Math.min(paid(a) + paid(b), Number.MAX_SAFE_INTEGER));
      }),
    );
  });
});
