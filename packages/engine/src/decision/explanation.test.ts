import { describe, expect, test } from "vitest";
import { aLine, aRule, itemsIncluded, percentOff } from "../discounts/discounts.fixtures.js";
import { decide } from "./decide.js";
import { aCoupon, aGiftCard, aVoucher, aWindow, NOON, someFacts } from "./decision.fixtures.js";
import type { RedeemableFacts } from "./facts.js";

const explained = (redeemable: RedeemableFacts, ...more: [Parameters<typeof someFacts>[1]]) =>
  decide(someFacts([redeemable], ...more), NOON, { explain: true }).outcomes[0]?.explanation;

describe("an explanation", () => {
  test("is not made unless it is wanted", () => {
    const [outcome] = decide(someFacts([aVoucher()], { amount: 1 }), NOON).outcomes;
    expect(outcome).not.toHaveProperty("explanation");
  });

  test("lists every check up to the one that failed, with what was lacking", () => {
    const voucher = aVoucher({ quantity: 3, redeemed_quantity: 4, held_quantity: 1 });
    expect(explained(voucher, { amount: 1 })?.checks).toEqual([
      { check: "exclusion", holds: true },
      { check: "limit", holds: true, reason: "applicable_redeemables_limit_exceeded", used: 0, limit: 30 },
      { check: "exists", holds: true },
      { check: "enabled", holds: true },
      { check: "window", holds: true, owner: "voucher", refusal: null },
      { check: "quantity", holds: false, quantity: 3, redeemed: 4, held: 1, lacking: 3 },
    ]);
  });

  test("of a window says which date failed", () => {
    const window = aWindow({ expiration_date: NOON - 1 });
    expect(explained(aVoucher({ window }), { amount: 1 })?.checks.at(-1)).toEqual({
      check: "window",
      holds: false,
      owner: "voucher",
      refusal: { key: "expired", expiration_date: NOON - 1 },
    });
  });

  test("of credits says how many were lacking", () => {
    expect(explained(aGiftCard(9000, 3000, { held_balance: 6500 }), { amount: 1 })?.checks.at(-1)).toEqual({
      check: "credits",
      holds: false,
      requested: 3000,
      available: 2500,
      lacking: 500,
    });
  });

  test("of a rule holds the rule's own tree", () => {
    const rule = aRule({ judge: () => ({ key: "order_rules_violated" }) });
    expect(explained(aCoupon(percentOff(1), { rules: [rule] }), { amount: 1 })?.checks.at(-1)).toMatchObject({
      check: "rules",
      rule_id: "val_1",
      when: "before_discount",
      holds: false,
      node: { path: "" },
    });
  });

  test("of amounts shows base, rate, rounding and the limits that held something back", () => {
    const rules = [aRule({ applicable_to: itemsIncluded("a", "b") })];
    const coupon = aCoupon(percentOff(15, { effect: "APPLY_TO_ITEMS", aggregated_amount_limit: 200 }), { rules });
    expect(explained(coupon, { items: [aLine("a", 333, 3), aLine("b", 700)] })?.amounts).toEqual([
      {
        line: 0,
        base: 999,
        units: { discounted: 3, of: 3 },
        rate: { kind: "percent", value: 15 },
        exact: "149.85",
        wanted: 150,
        limits: [],
        amount: 150,
      },
      {
        line: 1,
        base: 700,
        units: { discounted: 1, of: 1 },
        rate: { kind: "percent", value: 15 },
        exact: "105",
        wanted: 105,
        limits: [{ name: "aggregated_amount_limit", left: 50 }],
        amount: 50,
      },
    ]);
  });

  test("of an order-level discount names the base", () => {
    expect(explained(aCoupon(percentOff(15, { amount_limit: 100 })), { amount: 999 })?.amounts).toEqual([
      {
        line: null,
        base: 999,
        units: null,
        rate: { kind: "percent", value: 15 },
        exact: "149.85",
        wanted: 150,
        limits: [{ name: "amount_limit", left: 100 }],
        amount: 100,
      },
    ]);
  });
});
