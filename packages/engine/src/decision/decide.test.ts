import { describe, expect, test } from "vitest";
import { aLine, amountOff, aRule, itemsIncluded, percentOff, workedCart } from "../discounts/discounts.fixtures.js";
import {
  aCampaign,
  aCoupon,
  aCustomer,
  aGiftCard,
  aLoyaltyCard,
  aReward,
  aTier,
  aVoucher,
  aWindow,
  decided,
  discounts,
  NOON,
  rendered,
  totalAfter,
  wordOf,
  words,
} from "./decision.fixtures.js";

const cart = { amount: 60000 };

describe("several redeemables", () => {
  test.each`
    mode                   | left
    ${"DISCOUNTED_AMOUNT"} | ${[55500, 48840, 38840]}
    ${"INITIAL_AMOUNT"}    | ${[55500, 48300, 38300]}
  `("AMOUNT, PERCENT, gift in mode $mode leave $left", ({ mode, left }) => {
    const redeemables = [aCoupon(amountOff(4500)), aCoupon(percentOff(12)), aGiftCard(10000)];
    const decision = decided(redeemables, cart, {}, { discount_calculation_mode: mode });
    let rest = 60000;
    expect(discounts(decision).map((discount) => (rest -= discount))).toEqual(left);
    expect(decision.valid).toBe(true);
  });

  test("the requested order is the order of computation", () => {
    const decision = decided([aGiftCard(10000), aCoupon(percentOff(12)), aCoupon(amountOff(4500))], cart);
    expect(discounts(decision)).toEqual([10000, 6000, 4500]);
  });

  test("running totals of a gift, a coupon and a tier", () => {
    const decision = decided([aGiftCard(5000, 1500), aCoupon(percentOff(10)), aTier(amountOff(7000))], {
      amount: 87000,
    });
    expect(discounts(decision)).toEqual([1500, 8550, 7000]);
    expect(rendered(decision)).toMatchObject({
      discount_amount: 17050,
      applied_discount_amount: 17050,
      total_amount: 69950,
    });
  });

  test("no discount is above what is left", () => {
    const rules = [aRule({ applicable_to: itemsIncluded("a") })];
    const decision = decided(
      [aCoupon(amountOff(4700)), aCoupon(percentOff(20, { effect: "APPLY_TO_ITEMS" }), { rules })],
      {
        items: [aLine("a", 5000)],
      },
    );
    expect(discounts(decision)).toEqual([4700, 300]);
  });
});

describe("refusals in the order of the checks", () => {
  const tomorrow = aWindow({ start_date: NOON + 86_400_000 });
  const yesterday = aWindow({ expiration_date: NOON - 86_400_000 });
  const sunday = aWindow({ validity_day_of_week: [0] });
  const off = aCampaign({ active: false });
  const violated = [aRule({ judge: () => ({ key: "order_rules_violated" }) })];
  const coin = aReward({ coin: { exchange_ratio: 5, points_ratio: 40 } });
  test.each`
    redeemable                                                                  | key
    ${{ object: "voucher", id: "NONE", not_found: true }}                       | ${"not_found"}
    ${aVoucher({ active: false, window: yesterday })}                           | ${"voucher_disabled"}
    ${aVoucher({ campaign: off })}                                              | ${"voucher_disabled"}
    ${aVoucher({ window: tomorrow, quantity: 0 })}                              | ${"voucher_not_active"}
    ${aVoucher({ window: yesterday })}                                          | ${"voucher_expired"}
    ${aVoucher({ window: sunday, quantity: 0 })}                                | ${"voucher_not_active_now"}
    ${aVoucher({ quantity: 3, redeemed_quantity: 2, held_quantity: 1 })}        | ${"quantity_exceeded"}
    ${aVoucher({ quantity: 3, redeemed_quantity: 2 })}                          | ${"APPLICABLE"}
    ${aVoucher({ rules: violated })}                                            | ${"order_rules_violated"}
    ${aTier(amountOff(1), { active: false })}                                   | ${"promotion_inactive"}
    ${aTier(amountOff(1), { campaign: off })}                                   | ${"promotion_inactive"}
    ${aTier(amountOff(1), { window: yesterday })}                               | ${"promotion_not_active_now"}
    ${aTier(amountOff(1), { campaign: aCampaign({ window: tomorrow }) })}       | ${"promotion_not_active_now"}
    ${aVoucher({ is_referral_code: true, referrer_id: "cust_1" })}              | ${"referrer_not_permitted_to_redeem"}
    ${aGiftCard(9000, 3000, { held_balance: 6500 })}                            | ${"gift_amount_exceeded"}
    ${aGiftCard(9000, 2500, { held_balance: 6500 })}                            | ${"APPLICABLE"}
    ${aGiftCard(9000, 3000, { effect: "APPLY_TO_ITEMS" })}                      | ${"missing_order_items_amount"}
    ${aLoyaltyCard({})}                                                         | ${"missing_reward"}
    ${aLoyaltyCard({ reward: { id: "rew_0", not_found: true } })}               | ${"not_found"}
    ${aLoyaltyCard({ reward: coin, balance: 100 }, { holder_id: "cust_2" })}    | ${"invalid_customer"}
    ${aLoyaltyCard({ reward: coin, balance: 100, requested_points: 101 })}      | ${"loyalty_card_points_exceeded"}
    ${aLoyaltyCard({ reward: coin, balance: 39 })}                              | ${"loyalty_card_points_exceeded"}
    ${aLoyaltyCard({ reward: aReward({ stock: 2, redeemed: 2, points: 10 }) })} | ${"reward_out_of_stock"}
    ${aLoyaltyCard({ reward: aReward({ points: 10 }), balance: 9 })}            | ${"loyalty_card_points_exceeded"}
    ${aLoyaltyCard({ reward: aReward({ points: 10 }), balance: 10 })}           | ${"APPLICABLE"}
  `("$key", ({ redeemable, key }) => {
    const decision = decided([redeemable], cart, { customer: aCustomer("cust_1") });
    expect(words(decision)).toEqual([key]);
    expect(decision.valid).toBe(key === "APPLICABLE");
  });

  test.each`
    redeemable                                     | order                                      | key
    ${aGiftCard(100)}                              | ${null}                                    | ${"missing_order"}
    ${aGiftCard(100)}                              | ${{ items: [{ product_id: "unpriced" }] }} | ${"missing_amount"}
    ${aLoyaltyCard({ reward: coin, balance: 80 })} | ${null}                                    | ${"missing_order"}
    ${aLoyaltyCard({ reward: coin, balance: 80 })} | ${{}}                                      | ${"missing_amount"}
    ${aCoupon(percentOff(10))}                     | ${null}                                    | ${"APPLICABLE"}
    ${aCoupon(percentOff(10))}                     | ${{}}                                      | ${"APPLICABLE"}
  `("with the order $order: $key", ({ redeemable, order, key }) => {
    const decision = decided(
      [redeemable],
      order,
      { customer: aCustomer("cust_1") },
      { redeemables_no_effect_rule: "SKIP" },
    );
    expect(words(decision)).toEqual([key]);
  });
});

describe("paying with points", () => {
  test.each`
    points  | balance | amount   | used    | discount
    ${1200} | ${2000} | ${12300} | ${1000} | ${12300}
    ${90}   | ${2000} | ${12300} | ${80}   | ${1000}
    ${null} | ${700}  | ${12300} | ${680}  | ${8500}
    ${30}   | ${700}  | ${12300} | ${0}    | ${0}
    ${null} | ${700}  | ${0}     | ${0}    | ${0}
  `(
    "$points of $balance points on $amount: $used points, $discount off",
    ({ points, balance, amount, used, discount }) => {
      const reward = aReward({ coin: { exchange_ratio: 5, points_ratio: 40 } });
      const card = aLoyaltyCard({ reward, balance, requested_points: points });
      const decision = decided([card], { amount }, { customer: aCustomer("cust_1") });
      const [outcome] = decision.outcomes;
      expect(outcome).toMatchObject({ result: { loyalty_card: { points: used } }, increments: { points: used } });
      expect(discounts(decision)).toEqual([discount]);
    },
  );
});

describe("a gift card", () => {
  test("only the credits used leave the balance", () => {
    const decision = decided([aGiftCard(8000, 3000)], { amount: 2650 });
    expect(decision.outcomes[0]).toMatchObject({
      result: { gift: { balance: 8000, credits: 2650 } },
      increments: { gift_credits: 2650 },
    });
  });

  test("on items it is filled line by line", () => {
    const rules = [aRule({ applicable_to: itemsIncluded("cup", "lamp") })];
    const decision = decided([aGiftCard(9000, 6000, { effect: "APPLY_TO_ITEMS", rules })], workedCart);
    expect(rendered(decision)?.items.map((line) => line.discount_amount ?? 0)).toEqual([5000, 1000, 0, 0]);
  });
});

describe("application mode", () => {
  const bad = () => aVoucher({ active: false });
  test("ALL: what follows an inapplicable redeemable is skipped", () => {
    const decision = decided([aCoupon(amountOff(100)), bad(), aCoupon(amountOff(100))], cart);
    expect(words(decision)).toEqual(["APPLICABLE", "voucher_disabled", "preceding_validation_failed"]);
    expect(decision.valid).toBe(false);
  });

  test("PARTIAL: the others apply", () => {
    const decision = decided([bad(), aCoupon(amountOff(100))], cart, {}, { redeemables_application_mode: "PARTIAL" });
    expect(words(decision)).toEqual(["voucher_disabled", "APPLICABLE"]);
    expect(decision.valid).toBe(true);
    expect(totalAfter(decision)).toBe(59900);
  });

  test("everything skipped is not valid", () => {
    const decision = decided([aCoupon(amountOff(0))], cart, {}, { redeemables_no_effect_rule: "SKIP" });
    expect(words(decision)).toEqual(["no_effect"]);
    expect(decision.valid).toBe(false);
  });
});

describe("exclusive, joint and common redeemables", () => {
  const [exclusive, joint, common] = ["exclusive", "joint", "common"].map((id) => ({ id, hierarchy: 1 }));
  const rules = { exclusive_categories: ["exclusive"], joint_categories: ["joint"] };
  const coupon = (category: typeof joint | undefined, more = {}) =>
    aCoupon(amountOff(100), { category: category ?? null, ...more });

  test("an exclusive keeps common ones out wherever it stands, and joints come last", () => {
    const decision = decided([coupon(joint), coupon(common), coupon(undefined), coupon(exclusive)], cart, {}, rules);
    expect(decision.outcomes.map((outcome) => [outcome.redeemable, wordOf(outcome)]).map(([, word]) => word)).toEqual([
      "exclusion_rules_not_met",
      "exclusion_rules_not_met",
      "APPLICABLE",
      "APPLICABLE",
    ]);
  });

  test("in PARTIAL an exclusive that does not apply keeps nothing out", () => {
    const partial = { ...rules, redeemables_application_mode: "PARTIAL" as const };
    const decision = decided([coupon(exclusive, { active: false }), coupon(common)], cart, {}, partial);
    expect(words(decision)).toEqual(["voucher_disabled", "APPLICABLE"]);
  });

  test("a second exclusive is over the limit", () => {
    expect(words(decided([coupon(exclusive), coupon(exclusive)], cart, {}, rules))).toEqual([
      "APPLICABLE",
      "applicable_exclusive_redeemables_limit_exceeded",
    ]);
  });
});

describe("limits by category", () => {
  const [a, b] = ["A", "B"].map((id) => ({ id, hierarchy: 1 }));
  const five = () => [a, a, a, b, b].map((category) => aCoupon(amountOff(100), { category: category ?? null }));
  const OVER = "applicable_redeemables_per_category_limit_exceeded";
  test.each`
    total | map         | outcome
    ${4}  | ${{}}       | ${["APPLICABLE", "APPLICABLE", OVER, "APPLICABLE", "APPLICABLE"]}
    ${3}  | ${{}}       | ${["APPLICABLE", "APPLICABLE", OVER, "APPLICABLE", "applicable_redeemables_limit_exceeded"]}
    ${4}  | ${{ A: 1 }} | ${["APPLICABLE", OVER, OVER, "APPLICABLE", "APPLICABLE"]}
  `("total $total, two a category, map $map", ({ total, map, outcome }) => {
    const rules = {
      applicable_redeemables_limit: total,
      applicable_redeemables_per_category_limit: 2,
      applicable_redeemables_category_limits: map,
    };
    expect(words(decided(five(), cart, {}, rules))).toEqual(outcome);
  });
});
