import { describe, expect, test } from "vitest";
import { amountOff, aRule, percentOff } from "../discounts/discounts.fixtures.js";
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
  NOON,
  totalAfter,
  wordOf,
  words,
} from "./decision.fixtures.js";

const cart = { amount: 60000 };

describe("refusals in the order of the checks", () => {
  const tomorrow = aWindow({ start_date: NOON + 86_400_000 });
  const yesterday = aWindow({ expiration_date: NOON - 86_400_000 });
  const sunday = aWindow({ validity_day_of_week: [0] });
  const off = aCampaign({ active: false });
  const violated = [aRule({ judge: () => ({ key: "order_rules_violated" }) })];
  const coin = aReward({ coin: { exchange_ratio: 5, points_ratio: 40 } });
  const refusal = "no_voucher_suitable_for_publication" as const;
  const none_left = aReward({ points: 10, supply: { campaign_id: "camp_2", left: 0, refusal } });
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
    ${aLoyaltyCard({ reward: none_left })}                                      | ${"no_voucher_suitable_for_publication"}
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

describe("limits of exclusive and joint redeemables", () => {
  const rules = { exclusive_categories: ["A", "B"], joint_categories: ["J"], applicable_redeemables_limit: 9 };
  const of = (...ids: string[]) => ids.map((id) => aCoupon(amountOff(100), { category: { id, hierarchy: 1 } }));
  const [OK, TOTAL, EXCLUSIVE, OF_CATEGORY, CATEGORY] = [
    "APPLICABLE",
    "applicable_redeemables_limit_exceeded",
    "applicable_exclusive_redeemables_limit_exceeded",
    "applicable_exclusive_redeemables_per_category_limit_exceeded",
    "applicable_redeemables_per_category_limit_exceeded",
  ];
  const all = { applicable_exclusive_redeemables_limit: 5 };
  test.each`
    name                                             | categories              | limits                                                                                                              | outcome
    ${"exclusives of all categories count together"} | ${["A", "B", "A"]}      | ${{ applicable_exclusive_redeemables_limit: 2 }}                                                                    | ${[OK, OK, EXCLUSIVE]}
    ${"and each category's by themselves"}           | ${["A", "A", "B", "B"]} | ${{ ...all, applicable_exclusive_redeemables_per_category_limit: 1 }}                                               | ${[OK, OF_CATEGORY, OK, OF_CATEGORY]}
    ${"joint ones are no exclusives"}                | ${["A", "J", "J"]}      | ${{ applicable_exclusive_redeemables_limit: 1 }}                                                                    | ${[OK, OK, OK]}
    ${"joint ones count in the total"}               | ${["A", "J", "J"]}      | ${{ applicable_redeemables_limit: 2 }}                                                                              | ${[OK, OK, TOTAL]}
    ${"and in their category"}                       | ${["A", "J", "J"]}      | ${{ applicable_redeemables_per_category_limit: 1 }}                                                                 | ${[OK, OK, CATEGORY]}
    ${"the total is named before the others"}        | ${["A", "A"]}           | ${{ applicable_redeemables_limit: 1, applicable_redeemables_per_category_limit: 1 }}                                | ${[OK, TOTAL]}
    ${"then the exclusives, then their category"}    | ${["A", "A"]}           | ${{ applicable_redeemables_per_category_limit: 1, applicable_exclusive_redeemables_per_category_limit: 1 }}         | ${[OK, EXCLUSIVE]}
    ${"an exclusive's category before the category"} | ${["A", "A"]}           | ${{ ...all, applicable_redeemables_per_category_limit: 1, applicable_exclusive_redeemables_per_category_limit: 1 }} | ${[OK, OF_CATEGORY]}
  `("$name", ({ categories, limits, outcome }) => {
    expect(words(decided(of(...categories), cart, {}, { ...rules, ...limits }))).toEqual(outcome);
  });

  test("count what was applied, not what was refused or skipped", () => {
    const coupons = [aVoucher({ active: false }), aCoupon(amountOff(0)), aCoupon(amountOff(1)), aCoupon(amountOff(1))];
    const limits = {
      applicable_redeemables_limit: 1,
      redeemables_application_mode: "PARTIAL" as const,
      redeemables_no_effect_rule: "SKIP" as const,
    };
    expect(words(decided(coupons, cart, {}, limits))).toEqual(["voucher_disabled", "no_effect", OK, TOTAL]);
  });

  test("are looked at before anything else: what is over a limit is not even looked up", () => {
    const unknown = { object: "voucher" as const, id: "NONE", not_found: true as const };
    expect(words(decided([aCoupon(amountOff(1)), unknown], cart, {}, { applicable_redeemables_limit: 1 }))).toEqual([
      OK,
      TOTAL,
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
