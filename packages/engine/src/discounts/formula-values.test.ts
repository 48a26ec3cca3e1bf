import { describe, expect, test } from "vitest";
import { aCoupon, aTier, decided, discounts } from "../decision/decision.fixtures.js";
import type { Discount } from "../facts.js";
import { parseFormula } from "../formulas/index.js";
import { aDiscount, aLine, anEntry, aRule, fixed, itemsIncluded } from "./discounts.fixtures.js";

const inForce = (discount: Discount, more: Parameters<typeof decided>[2] = {}) => {
  const [outcome] = decided([aCoupon(aDiscount(discount))], { amount: 12345 }, more).outcomes;
  return outcome?.status === "APPLICABLE" && "discount" in outcome.result ? outcome.result.discount : null;
};

describe("a formula's value on an order of 123.45", () => {
  test.each`
    discount                                                                                  | taken    | shown
    ${{ type: "AMOUNT", amount_off: 1, amount_off_formula: "ORDER_AMOUNT * 0.033" }}          | ${407}   | ${{ amount_off: 407, is_dynamic: true }}
    ${{ type: "PERCENT", percent_off: 1, percent_off_formula: "IF(ORDER_AMOUNT > 123;7;4)" }} | ${864}   | ${{ percent_off: 7, is_dynamic: true }}
    ${{ type: "PERCENT", percent_off: 1, percent_off_formula: "1000" }}                       | ${12345} | ${{ percent_off: 100, is_dynamic: true }}
    ${{ type: "FIXED", fixed_amount: 1, fixed_amount_formula: "100" }}                        | ${2345}  | ${{ fixed_amount: 10000, is_dynamic: true }}
    ${{ type: "AMOUNT", amount_off: 900, amount_off_formula: "1 / 0" }}                       | ${900}   | ${{ amount_off: 900, is_dynamic: false }}
    ${{ type: "AMOUNT", amount_off: 900, amount_off_formula: "0 - 5" }}                       | ${0}     | ${{ amount_off: 0, is_dynamic: true }}
    ${{ type: "AMOUNT", amount_off: 900, amount_off_formula: "not a formula" }}               | ${900}   | ${{ amount_off: 900, is_dynamic: false }}
    ${{ type: "AMOUNT", amount_off: 900.5 }}                                                  | ${901}   | ${{ amount_off: 900.5, is_dynamic: false }}
  `("$discount takes $taken", ({ discount, taken, shown }) => {
    expect(discounts(decided([aCoupon(aDiscount(discount))], { amount: 12345 }))).toEqual([taken]);
    expect(inForce(discount)).toMatchObject(shown);
  });

  test("metadata of the request, of the redeemable and the voucher's own numbers", () => {
    const discount = aDiscount({
      type: "AMOUNT",
      amount_off: 1,
      amount_off_formula:
        'REDEMPTION_METADATA("a") + REDEEMABLE_METADATA("b") + DEFAULT_TO(VOUCHER_REDEEMED_QUANTITY;10)',
    });
    const metadata = { b: 2 };
    const order = { amount: 100_000 };
    const voucher = aCoupon(discount, { metadata, redeemed_quantity: 4 });
    expect(discounts(decided([voucher, aTier(discount, { metadata })], order, { metadata: { a: 1 } }))).toEqual([
      700, 1300,
    ]);
  });

  test("a formula that reads the line is computed for each line, and the static value is shown", () => {
    const rules = [aRule({ applicable_to: itemsIncluded("a", "b") })];
    const per_line = aDiscount({
      type: "PERCENT",
      effect: "APPLY_TO_ITEMS",
      percent_off: 1,
      percent_off_formula: "ORDER_ITEM_UNITS_QUANTITY * 10",
    });
    const decision = decided([aCoupon(per_line, { rules })], { items: [aLine("a", 1000, 1), aLine("b", 1000, 2)] });
    expect(decision.order?.lines.map((line) => line.discount_amount)).toEqual([100, 400]);
    expect(decision.outcomes[0]).toMatchObject({ result: { discount: { percent_off: 1, is_dynamic: true } } });
  });

  test("a price formula of an entry comes before its price, and falls back to it", () => {
    const entryWith = (text: string) => {
      const parsed = parseFormula(text);
      if ("fault" in parsed) throw new Error(parsed.fault.problem);
      return itemsIncluded(anEntry("a", { price: 900, price_formula: parsed.formula }));
    };
    const taken = (text: string) => {
      const rules = [aRule({ applicable_to: entryWith(text) })];
      return discounts(
        decided([aCoupon(fixed(null, { effect: "APPLY_TO_ITEMS" }), { rules })], { items: [aLine("a", 1250, 2)] }),
      );
    };
    expect(taken("ORDER_ITEM_PRICE - 1.5")).toEqual([300]);
    expect(taken('ORDER_METADATA("none")')).toEqual([700]);
  });

  test("units from a formula are floored", () => {
    const units = aDiscount({
      type: "UNIT",
      effect: "ADD_NEW_ITEMS",
      unit_type: "a",
      unit_off: 1,
      unit_off_formula: "ORDER_AMOUNT / 4",
    });
    const decision = decided([aCoupon(units)], { items: [aLine("a", 1100, 1)] });
    expect(decision.order?.lines[0]?.quantity).toBe(3);
    expect(decision.outcomes[0]).toMatchObject({ result: { discount: { unit_off: 2, is_dynamic: true } } });
  });
});
