import { describe, expect, test } from "vitest";
import { aLine, amountOff, anItem, aRule, itemsIncluded, percentOff } from "../discounts/discounts.fixtures.js";
import type { StackingRules } from "../facts.js";
import { decide } from "./decide.js";
import {
  aCampaign,
  aCoupon,
  aGiftCard,
  aLoyaltyCard,
  aReward,
  aTier,
  aVoucher,
  aWindow,
  explanationsOf,
  NOON,
  someFacts,
} from "./decision.fixtures.js";
import type { RedeemableFacts } from "./facts.js";

const explained = (redeemable: RedeemableFacts, ...more: [Parameters<typeof someFacts>[1]]) =>
  decide(someFacts([redeemable], ...more), NOON, { explain: true }).outcomes[0]?.explanation;

describe("an explanation", () => {
  test("is not made unless it is wanted", () => {
    const [outcome] = decide(someFacts([aVoucher()], { amount: 1 }), NOON).outcomes;
    expect(outcome).not.toHaveProperty("explanation");
    const silent = aRule({
      explain: () => {
        throw new Error("Nobody asked.");
      },
    });
    expect(() => decide(someFacts([aCoupon(amountOff(1), { rules: [silent] })], { amount: 1 }), NOON)).not.toThrow();
  });

  test("lists every check up to the one that failed, with what was lacking", () => {
    const voucher = aVoucher({ quantity: 3, redeemed_quantity: 4, held_quantity: 1 });
    expect(explained(voucher, { amount: 1 })?.checks).toEqual([
      { check: "preceding", holds: true },
      { check: "exclusion", holds: true },
      { check: "limit", holds: true, reason: "applicable_redeemables_limit_exceeded", used: 0, limit: 30, lacking: 0 },
      { check: "exists", holds: true },
      { check: "enabled", holds: true },
      { check: "window", holds: true, owner: "voucher", refusal: null, lacking: 0 },
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
      lacking: 1,
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
        base_mode: "DISCOUNTED_AMOUNT",
        rate: { kind: "percent", value: 15, bundles: 1, source: "static" },
        exact: "149.85",
        wanted: 150,
        limits: [],
        amount: 150,
      },
      {
        line: 1,
        base: 700,
        units: { discounted: 1, of: 1 },
        base_mode: "DISCOUNTED_AMOUNT",
        rate: { kind: "percent", value: 15, bundles: 1, source: "static" },
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
        base_mode: "DISCOUNTED_AMOUNT",
        rate: { kind: "percent", value: 15, bundles: 1, source: "static" },
        exact: "149.85",
        wanted: 150,
        limits: [{ name: "amount_limit", left: 100 }],
        amount: 100,
      },
    ]);
  });
});

describe("the last check of a refused or skipped redeemable says what it lacked", () => {
  const coin = aReward({ coin: { exchange_ratio: 1, points_ratio: 10 } });
  const bundle = { limit: 2, conditions: [{ item: anItem("cup"), quantity: 3 }] };
  const cart = { items: [aLine("a", 100), aLine("cup", 100, 2)] };
  const campaign = aCampaign({ window: aWindow({ start_date: NOON + 5000 }) });
  test.each`
    name                     | redeemable                                                                             | order   | last
    ${"a missing one"}       | ${{ object: "voucher", id: "NONE", not_found: true }}                                  | ${cart} | ${{ check: "exists", holds: false }}
    ${"a switched off one"}  | ${aVoucher({ active: false })}                                                         | ${cart} | ${{ check: "enabled", holds: false }}
    ${"a start to come"}     | ${aVoucher({ window: campaign.window })}                                               | ${cart} | ${{ check: "window", owner: "voucher", lacking: 5000 }}
    ${"a campaign's start"}  | ${aTier(amountOff(1), { campaign })}                                                   | ${cart} | ${{ check: "window", owner: "campaign", lacking: 5000 }}
    ${"the wrong day"}       | ${aVoucher({ window: aWindow({ validity_day_of_week: [0] }) })}                        | ${cart} | ${{ check: "window", refusal: { key: "outside_day_of_week" }, lacking: null }}
    ${"someone else's card"} | ${aLoyaltyCard({ reward: coin, balance: 99 }, { holder_id: "cust_2" })}                | ${cart} | ${{ check: "holder", holds: false }}
    ${"one's own referral"}  | ${aVoucher({ is_referral_code: true, referrer_id: "cust_1" })}                         | ${cart} | ${{ check: "referrer", holds: false }}
    ${"no reward"}           | ${aLoyaltyCard({})}                                                                    | ${cart} | ${{ check: "reward", holds: false }}
    ${"no order for points"} | ${aLoyaltyCard({ reward: coin, balance: 99 })}                                         | ${null} | ${{ check: "order", holds: false }}
    ${"no amount to pay"}    | ${aLoyaltyCard({ reward: coin, balance: 99 })}                                         | ${{}}   | ${{ check: "amount", holds: false }}
    ${"too few points"}      | ${aLoyaltyCard({ reward: coin, balance: 5 })}                                          | ${cart} | ${{ check: "points", available: 5, lacking: 5 }}
    ${"no more rewards"}     | ${aLoyaltyCard({ reward: aReward({ stock: 2, redeemed: 2, points: 1 }), balance: 5 })} | ${cart} | ${{ check: "stock", lacking: 1 }}
    ${"no order for a gift"} | ${aGiftCard(5)}                                                                        | ${null} | ${{ check: "order", holds: false }}
    ${"no amount to give"}   | ${aGiftCard(5)}                                                                        | ${{}}   | ${{ check: "amount", holds: false }}
    ${"too few credits"}     | ${aGiftCard(5, 7)}                                                                     | ${cart} | ${{ check: "credits", lacking: 2 }}
    ${"no item for a gift"}  | ${aGiftCard(5, null, { effect: "APPLY_TO_ITEMS" })}                                    | ${cart} | ${{ check: "items_amount", holds: false }}
    ${"a bundle, one short"} | ${aCoupon(amountOff(1), { rules: [aRule({ bundle })] })}                               | ${cart} | ${{ check: "bundle", holds: false, bundle: { missing: [{ id: "cup", item_quantity: 1 }] } }}
    ${"no order at all"}     | ${aCoupon(amountOff(1), { rules: [aRule({ bundle })] })}                               | ${null} | ${{ check: "order", holds: false }}
    ${"nothing to take"}     | ${aCoupon(amountOff(0))}                                                               | ${cart} | ${{ check: "effect", holds: false }}
  `("$name", ({ redeemable, order, last }) => {
    const [explanation] = explanationsOf([redeemable], order, { redeemables_no_effect_rule: "SKIP" });
    expect(explanation?.checks.at(-1)).toMatchObject(last);
    expect(explanation?.amounts.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  });

  test("also where the rules for several redeemables kept it out", () => {
    const lastOf = (redeemables: RedeemableFacts[], rules: Partial<StackingRules>) =>
      explanationsOf(redeemables, { amount: 100 }, rules).at(-1)?.checks.at(-1);
    const [refused, coupon] = [aVoucher({ active: false }), aCoupon(amountOff(1))];
    expect(lastOf([refused, coupon], {})).toEqual({ check: "preceding", holds: false });
    expect(lastOf([coupon, aCoupon(amountOff(1))], { applicable_redeemables_limit: 1 })).toMatchObject({
      check: "limit",
      used: 1,
      limit: 1,
      lacking: 1,
    });
    const exclusive = aCoupon(amountOff(1), { category: { id: "cat", hierarchy: 0 } });
    expect(lastOf([exclusive, coupon], { exclusive_categories: ["cat"] })).toEqual({
      check: "exclusion",
      holds: false,
    });
  });
});
