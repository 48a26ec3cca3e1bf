import { describe, expect, test } from "vitest";
import type { FormulaOperands } from "../discounts/formula.contract.js";
import { aLine, anOrder, operandsOf } from "./formulas.fixtures.js";
import { parseFormula } from "./index.js";

function evaluated(text: string, operands: Partial<FormulaOperands> = {}): string | null {
  const parsed = parseFormula(text);
  if ("fault" in parsed) return parsed.fault.problem;
  return parsed.formula.evaluate(operandsOf(operands))?.toString() ?? null;
}

describe("order and lines in major units", () => {
  const cup = aLine({ index: 0, price: 1250, quantity: 4, amount: 5000, metadata: { color: "red" } });
  const lamp = aLine({ index: 1, price: 3200, amount: 3200, discount_amount: 200, product_metadata: { weight: 3 } });
  const rug = aLine({ index: 2, price: 3200, amount: 3200, discount_amount: 700, product_metadata: { weight: 9 } });
  const order = anOrder(12_345, [cup, lamp, rug]);
  test.each`
    formula                                                   | value
    ${"ORDER_AMOUNT"}                                         | ${"123.45"}
    ${"ORDER_AMOUNT * 0.033"}                                 | ${"4.07385"}
    ${"IF(ORDER_AMOUNT > 123;7;4)"}                           | ${"7"}
    ${"ORDER_ITEMS_QUANTITY"}                                 | ${"3"}
    ${"ORDER_UNITS_QUANTITY"}                                 | ${"6"}
    ${"ORDER_ITEM_PRICE - 1.5"}                               | ${"11"}
    ${"ORDER_ITEM_AMOUNT"}                                    | ${"50"}
    ${"ORDER_ITEM_SUBTOTAL"}                                  | ${"50"}
    ${"ORDER_ITEM_UNITS_QUANTITY"}                            | ${"4"}
    ${"CHEAPEST_ORDER_ITEM_PRICE"}                            | ${"12.5"}
    ${"MOST_EXPENSIVE_ORDER_ITEM_SUBTOTAL"}                   | ${"25"}
    ${"MOST_EXPENSIVE_ORDER_ITEM_AMOUNT"}                     | ${"32"}
    ${'MOST_EXPENSIVE_ORDER_ITEM_PRODUCT_METADATA("weight")'} | ${"9"}
    ${'IF(ORDER_ITEM_METADATA("color") is "red";1;2)'}        | ${"1"}
    ${"ORDER_BUNDLE_QUANTITY"}                                | ${"2"}
  `("$formula = $value", ({ formula, value }) => {
    expect(evaluated(formula, { order, line: cup, bundle_quantity: 2 })).toBe(value);
  });

  test("a line without a price is worth its amount divided by its quantity", () => {
    const line = aLine({ quantity: 8, amount: 1000 });
    expect(evaluated("ORDER_ITEM_PRICE", { line })).toBe("1.25");
    expect(evaluated("ORDER_ITEM_PRICE", { line: aLine({ quantity: 0, amount: 0 }) })).toBeNull();
  });

  test("extremes compare unit prices, also of lines that only have an amount", () => {
    const boxed = aLine({ index: 1, quantity: 3, amount: 3000 });
    const lines = [aLine({ price: 1001, amount: 1001 }), boxed, aLine({ index: 2, price: 999, amount: 999 })];
    expect(evaluated("CHEAPEST_ORDER_ITEM_PRICE", { order: anOrder(5000, lines) })).toBe("9.99");
    expect(evaluated("CHEAPEST_ORDER_ITEM_AMOUNT", { order: anOrder(5000, lines.slice(0, 2)) })).toBe("30");
    expect(evaluated("MOST_EXPENSIVE_ORDER_ITEM_PRICE", { order: anOrder(5000, lines) })).toBe("10.01");
  });

  test("line operands are null without a line, and extremes without a priced line", () => {
    expect(evaluated("ORDER_ITEM_PRICE", { order })).toBeNull();
    expect(evaluated("CHEAPEST_ORDER_ITEM_PRICE", { order: anOrder(1, [aLine()]) })).toBeNull();
    expect(evaluated("CHEAPEST_ORDER_ITEM_PRICE")).toBeNull();
  });

  test.each`
    formula                        | reads_line
    ${"ORDER_AMOUNT"}              | ${false}
    ${"CHEAPEST_ORDER_ITEM_PRICE"} | ${false}
    ${"MIN(1;ORDER_ITEM_PRICE)"}   | ${true}
    ${'ORDER_ITEM_METADATA("a")'}  | ${true}
  `("$formula reads the line at hand: $reads_line", ({ formula, reads_line }) => {
    expect(parseFormula(formula)).toMatchObject({ formula: { text: formula, reads_line } });
  });

  test.each`
    formula                                   | reads_publication
    ${'REDEEMABLE_METADATA("a")'}             | ${false}
    ${'"PUBLICATION_METADATA" is "a"'}        | ${false}
    ${'MAX(1;2 * PUBLICATION_METADATA("a"))'} | ${true}
  `("$formula reads the publication: $reads_publication", ({ formula, reads_publication }) => {
    expect(parseFormula(formula)).toMatchObject({ formula: { text: formula, reads_publication } });
  });
});

test("the voucher's numbers, null where there is no limit", () => {
  const voucher = {
    redemption_quantity: null,
    redeemed_quantity: 3,
    publish_count: 4,
    start_date: null,
    expiration_date: null,
  };
  expect(evaluated("VOUCHER_REDEEMED_QUANTITY * VOUCHER_PUBLISH_COUNT", { voucher })).toBe("12");
  expect(evaluated("VOUCHER_REDEMPTION_QUANTITY + 1", { voucher })).toBeNull();
  expect(evaluated("VOUCHER_REDEEMED_QUANTITY")).toBeNull();
});
