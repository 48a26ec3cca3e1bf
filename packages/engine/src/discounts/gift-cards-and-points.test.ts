import { describe, expect, test } from "vitest";
import {
  aCoupon,
  aCustomer,
  aGiftCard,
  aLoyaltyCard,
  aReward,
  decided,
  discounts,
  rendered,
  words,
} from "../decision/decision.fixtures.js";
import type { LoyaltyCardFacts } from "../decision/facts.js";
import type { OrderInput } from "../orders/order.js";
import { aLine, amountOff, anEntry, aRule, itemsIncluded, percentOff, workedCart } from "./discounts.fixtures.js";

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

  const ofItems = (...named: Parameters<typeof itemsIncluded>) => ({
    effect: "APPLY_TO_ITEMS" as const,
    rules: [aRule({ applicable_to: itemsIncluded(...named) })],
  });
  const lines = (decision: ReturnType<typeof decided>) =>
    rendered(decision)?.items.map((line) => line.discount_amount ?? 0);

  test.each`
    balance | requested | held    | left    | used
    ${8000} | ${null}   | ${0}    | ${9000} | ${8000}
    ${8000} | ${null}   | ${3000} | ${9000} | ${5000}
    ${8000} | ${null}   | ${0}    | ${2650} | ${2650}
    ${8000} | ${3000}   | ${5000} | ${9000} | ${3000}
    ${8000} | ${0}      | ${0}    | ${9000} | ${0}
    ${8000} | ${null}   | ${9000} | ${9000} | ${0}
  `(
    "of $balance, $held held, pays $used of $left when $requested are asked for",
    ({ balance, requested, held, left, used }) => {
      const decision = decided([aGiftCard(balance, requested, { held_balance: held })], { amount: left });
      expect(decision.outcomes[0]).toMatchObject({ result: { gift: { balance, credits: used } } });
      expect(discounts(decision)).toEqual([used]);
    },
  );

  test("refuses more credits than it has, also when less is left to pay", () => {
    expect(words(decided([aGiftCard(8000, 8001)], { amount: 100 }))).toEqual(["gift_amount_exceeded"]);
  });

  test("on items follows the order of the entry and its limits", () => {
    const cheapest = anEntry("any", { matches: () => true, effect: "APPLY_FROM_CHEAPEST" });
    expect(lines(decided([aGiftCard(9000, 6000, ofItems(cheapest))], workedCart))).toEqual([5000, 403, 0, 597]);
    const limited = anEntry("cup", { quantity_limit: 2, amount_limit: 2000 });
    expect(lines(decided([aGiftCard(9000, 6000, ofItems(limited, "lamp"))], workedCart))).toEqual([2000, 3200, 0, 0]);
  });

  test("on items without one that has an amount is refused, without credits left to give it is not", () => {
    const unpriced = { items: [{ product_id: "cup" }, aLine("lamp", 100)] };
    expect(words(decided([aGiftCard(100, null, ofItems("cup"))], unpriced))).toEqual(["missing_order_items_amount"]);
    expect(words(decided([aGiftCard(100, null, ofItems())], workedCart))).toEqual(["missing_order_items_amount"]);
    expect(words(decided([aGiftCard(0, null, ofItems("cup"))], workedCart))).toEqual(["APPLICABLE"]);
  });

  test.each`
    rule               | outcome
    ${"REDEEM_ANYWAY"} | ${["APPLICABLE", "APPLICABLE"]}
    ${"SKIP"}          | ${["APPLICABLE", "no_effect"]}
  `("whose items were all discounted before has no effect in mode ONCE: $outcome", ({ rule, outcome }) => {
    const before = aCoupon(percentOff(10, { effect: "APPLY_TO_ITEMS" }), ofItems("cup"));
    const rules = { redeemables_products_application_mode: "ONCE" as const, redeemables_no_effect_rule: rule };
    const decision = decided([before, aGiftCard(900, null, ofItems("cup"))], workedCart, {}, rules);
    expect(words(decision)).toEqual(outcome);
    expect(discounts(decision)).toEqual([500, 0]);
  });

  test("pays for the order and not for items when its effect says nothing of them", () => {
    const { rules } = ofItems("lamp");
    expect(rendered(decided([aGiftCard(9000, 5000, { rules })], workedCart))).toMatchObject({ discount_amount: 5000 });
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

  const paid = (
    coin: { exchange_ratio: number; points_ratio: number },
    card: Partial<LoyaltyCardFacts>,
    order: OrderInput,
  ) => {
    const loyalty_card = aLoyaltyCard({ ...card, reward: aReward({ coin }) });
    const decision = decided([loyalty_card], order, { customer: aCustomer("cust_1") });
    const [outcome] = decision.outcomes;
    const points = outcome?.status === "APPLICABLE" ? outcome.increments.points : null;
    return [words(decision)[0], points, ...discounts(decision)];
  };

  test.each`
    name                                            | coin                                          | card                                                    | amount                     | result
    ${"the last step begun is taken whole"}         | ${{ exchange_ratio: 5, points_ratio: 40 }}    | ${{ balance: 2000 }}                                    | ${501}                     | ${["APPLICABLE", 80, 501]}
    ${"a step may be worth less than a minor unit"} | ${{ exchange_ratio: 0.005, points_ratio: 1 }} | ${{ balance: 3 }}                                       | ${100}                     | ${["APPLICABLE", 3, 2]}
    ${"a multiplied ratio may be a fraction"}       | ${{ exchange_ratio: 1, points_ratio: 2.5 }}   | ${{ balance: 9 }}                                       | ${1000}                    | ${["APPLICABLE", 8, 300]}
    ${"a step worth nothing takes nothing"}         | ${{ exchange_ratio: 0, points_ratio: 1 }}     | ${{ balance: 9 }}                                       | ${1000}                    | ${["APPLICABLE", 0, 0]}
    ${"points held elsewhere are not available"}    | ${{ exchange_ratio: 1, points_ratio: 1 }}     | ${{ balance: 9, held_balance: 4 }}                      | ${1000}                    | ${["APPLICABLE", 5, 500]}
    ${"and may not be asked for"}                   | ${{ exchange_ratio: 1, points_ratio: 1 }}     | ${{ balance: 9, held_balance: 4, requested_points: 6 }} | ${1000}                    | ${["loyalty_card_points_exceeded", null, 0]}
    ${"nor when nothing is left to pay"}            | ${{ exchange_ratio: 1, points_ratio: 1 }}     | ${{ balance: 9, requested_points: 10 }}                 | ${0}                       | ${["loyalty_card_points_exceeded", null, 0]}
    ${"less than a step on the card cannot pay"}    | ${{ exchange_ratio: 1, points_ratio: 10 }}    | ${{ balance: 9 }}                                       | ${1000}                    | ${["loyalty_card_points_exceeded", null, 0]}
    ${"unless there is nothing to pay"}             | ${{ exchange_ratio: 1, points_ratio: 10 }}    | ${{ balance: 9 }}                                       | ${0}                       | ${["APPLICABLE", 0, 0]}
    ${"the largest order"}                          | ${{ exchange_ratio: 0.01, points_ratio: 1 }}  | ${{ balance: Number.MAX_SAFE_INTEGER }}                 | ${Number.MAX_SAFE_INTEGER} | ${["APPLICABLE", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]}
  `("$name: $result", ({ coin, card, amount, result }) => {
    expect(paid(coin, card, { amount })).toEqual(result);
  });

  test("always pays for the order, never for items", () => {
    const reward = aReward({ coin: { exchange_ratio: 1, points_ratio: 1 } });
    const rules = [aRule({ applicable_to: itemsIncluded("cup") })];
    const decision = decided([aLoyaltyCard({ balance: 5, reward }, { rules })], workedCart, {
      customer: aCustomer("cust_1"),
    });
    expect(rendered(decision)).toMatchObject({ discount_amount: 500, total_amount: 23797 });
  });

  test("pays what redeemables before have left", () => {
    const card = aLoyaltyCard({ balance: 900, reward: aReward({ coin: { exchange_ratio: 1, points_ratio: 1 } }) });
    const decision = decided([aCoupon(amountOff(900)), card], { amount: 1000 }, { customer: aCustomer("cust_1") });
    expect(discounts(decision)).toEqual([900, 100]);
  });
});

test("a reward that is handed over changes no amount, and costs its price", () => {
  const card = aLoyaltyCard({ balance: 100, reward: aReward({ points: 70 }) });
  for (const order of [{ amount: 1000 }, { amount: 0 }, null]) {
    const decision = decided([card], order, { customer: aCustomer("cust_1") }, { redeemables_no_effect_rule: "SKIP" });
    expect(decision.outcomes[0]).toMatchObject({
      result: { loyalty_card: { points: 70 } },
      increments: { points: 70 },
    });
    expect(decision.order).toEqual(decision.order_before);
  }
});
