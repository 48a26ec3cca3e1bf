import { describe, expect, test } from "vitest";
import { aMember, aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { type Fields, off } from "../../src/features/promotions/promotion.fixtures.js";
import { aReward, coin, given } from "../../src/features/rewards/reward.fixtures.js";
import { startService } from "../harness/service.js";
import { an_order, aShop, asked, type Shop } from "./shop.fixtures.js";

const service = await startService();
type Money = Record<string, number>;
/** What was taken off in all, what of it now, and what is left to pay. */
const row = (order: Money) => [
  order.discount_amount ?? 0,
  order.applied_discount_amount ?? 0,
  order.total_discount_amount ?? 0,
  order.total_applied_discount_amount ?? 0,
  order.total_amount,
];

describe("now (redemption.md §7)", () => {
  test("is one step inside an entry or child, and the whole request at the top and in the parent", async () => {
    const shop = await aShop(service);
    await shop.voucher("ONE");
    await shop.voucher("TWO", off(200));
    const first = [100, 100, 100, 100, 9_900];
    const second = [300, 200, 300, 200, 9_700];
    const whole = [300, 300, 300, 300, 9_700];
    const valid = await shop.validate(["ONE", "TWO"]);
    expect([...valid.redeemables.map((one: { order: Money }) => row(one.order)), row(valid.order)]).toEqual([
      first,
      second,
      whole,
    ]);
    const { redemptions, parent_redemption, order } = await shop.redeem(["ONE", "TWO"]);
    expect(redemptions.map((one: { order: Money }) => row(one.order))).toEqual([first, second]);
    expect([row(parent_redemption.order), row(order)]).toEqual([whole, whole]);
  });

  test("starts from what a stored order carries already", async () => {
    const shop = await aShop(service);
    await shop.voucher("LARGE", off(26_000));
    await shop.voucher("MORE", off(5_500));
    const { order } = await shop.redeem(["LARGE"], { order: { source_id: "cart", amount: 30_000 } });
    const asked_again = { order: { id: order.id } };
    const left = [30_000, 4_000, 30_000, 4_000, 0];
    expect(row((await shop.validate(["MORE"], asked_again)).order)).toEqual(left);
    expect(row((await shop.redeem(["MORE"], asked_again)).order)).toEqual(left);
  });
});

describe("a limit of the whole discount with a fraction", () => {
  const discount = { type: "AMOUNT", amount_off: 1_000, aggregated_amount_limit: 10.9 };
  const made: [string, (shop: Shop) => Promise<{ object: string; id: string }>][] = [
    ["a voucher", async ({ voucher }) => ({ object: "voucher", id: (await voucher("LIMITED", { discount })).code })],
    [
      "a campaign's code",
      async ({ api }) => {
        await api.post("/v1/campaigns", { name: "Limited", voucher: { type: "DISCOUNT_VOUCHER", discount } }, 200);
        return { object: "voucher", id: (await api.post("/v1/campaigns/Limited/vouchers", {}, 200)).body.code };
      },
    ],
    [
      "a tier",
      async ({ api }) => {
        const promotion = { tiers: [{ name: "limited", action: { discount } }] };
        const { body } = await api.post("/v1/campaigns", { name: "P", campaign_type: "PROMOTION", promotion }, 200);
        const [tier] = body.promotion.tiers;
        expect(tier.action.discount.aggregated_amount_limit).toBe(10);
        return { object: "promotion_tier", id: tier.id };
      },
    ],
  ];

  test.each(made)("of %s is taken, and rounded down (discounts.md §12)", async (_name, make) => {
    const shop = await aShop(service);
    const redeemables = [await make(shop)];
    const { body } = await shop.api.post("/v1/validations", { redeemables, order: an_order }, 200);
    expect(body.order.total_discount_amount).toBe(10);
  });
});

describe("a gift card", () => {
  test.each([
    ["what is asked for", 1_500, 10_000, 1_500],
    ["all that the order needs, where more is asked for", 4_000, 2_650, 2_650],
    ["as much as balance allows, where nothing is said", undefined, 10_000, 5_000],
    ["as much as the order allows, where nothing is said", undefined, 700, 700],
  ])("gives %s", async (_, credits, amount, used) => {
    const shop = await aShop(service);
    await shop.voucher("GIFT", { gift: { amount: 5_000 } });
    const sent = [asked("GIFT", credits === undefined ? {} : { gift: { credits } })];
    const valid = await shop.validate(sent, { order: { amount } });
    expect(valid.redeemables[0].result).toEqual({ gift: { balance: 5_000, credits: used } });
    const { redemptions } = await shop.redeem(sent, { order: { amount } });
    expect(redemptions[0]).toMatchObject({ amount: used, order: { total_amount: amount - used } });
    expect(await shop.read("GIFT")).toMatchObject({
      gift: { amount: 5_000, balance: 5_000 - used },
      redemption: { redeemed_amount: used },
    });
  });

  test.each([100, 10_000])(
    "asked for more than its balance is refused, also where only %i is left to pay",
    async (amount) => {
      const shop = await aShop(service);
      await shop.voucher("GIFT", { gift: { amount: 5_000 } });
      const sent = [asked("GIFT", { gift: { credits: 5_001 } })];
      const { result } = (await shop.validate(sent, { order: { amount } })).redeemables[0];
      expect(result.error).toMatchObject({ code: 400, key: "gift_amount_exceeded", details: "GIFT" });
      expect(await shop.redeem(sent, { order: { amount } }, 400)).toMatchObject({ key: "gift_amount_exceeded" });
      expect((await shop.read("GIFT")).gift.balance).toBe(5_000);
    },
  );
});

describe("a loyalty card", () => {
  async function aCard(shop: Shop, reward: Fields, price: number | null) {
    const program = await aProgram(shop, {}, 1_500);
    const of = await aReward(shop, reward);
    await given(shop, program, of, price);
    const { card } = await aMember(shop, program);
    return {
      card,
      entry: (more: Fields = {}) => asked(card.code, { reward: { id: of.id, ...more } }),
      customer: { id: card.holder_id },
    };
  }

  test.each([
    ["the points asked for, in whole steps", 90, 12_300, 80, 1_000],
    ["no more than the order needs", 1_200, 12_300, 1_000, 12_300],
    ["all it can, where nothing is said", undefined, 100_000, 1_480, 18_500],
  ])("pays with %s", async (_, points, amount, used, discount) => {
    const shop = await aShop(service);
    const { entry, customer } = await aCard(shop, coin(40, 5), null);
    const sent = [entry(points === undefined ? {} : { points })];
    const valid = await shop.validate(sent, { order: { amount }, customer });
    expect(valid.redeemables[0].result).toEqual({ loyalty_card: { points: used } });
    const { redemptions } = await shop.redeem(sent, { order: { amount }, customer });
    expect(redemptions[0]).toMatchObject({ amount: used, order: { total_applied_discount_amount: discount } });
  });

  test("gives another reward for its price and leaves the order as it was, without any applied amount", async () => {
    const shop = await aShop(service);
    await shop.voucher("ONE");
    const { card, entry, customer } = await aCard(shop, {}, 60);
    const more = { order: an_order, customer };
    const { redeemables, order } = await shop.validate(["ONE", entry()], more);
    expect(redeemables[1].result).toMatchObject({ loyalty_card: { points: 60 } });
    expect(redeemables[1].order).toMatchObject({ discount_amount: 100, total_amount: 9_900 });
    expect(Object.keys(redeemables[1].order).filter((key) => key.includes("applied"))).toEqual([]);
    expect(row(order)).toEqual([100, 100, 100, 100, 9_900]);
    const { redemptions } = await shop.redeem(["ONE", entry()], more);
    expect(redemptions[1]).toMatchObject({ amount: 60 });
    expect(Object.keys(redemptions[1].order).filter((key) => key.includes("applied"))).toEqual([]);
    expect((await shop.read(card.code)).loyalty_card).toMatchObject({ points: 1_500, balance: 1_440 });
  });
});
