import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { aMember, aName, aProgram, booksOf } from "../loyalties/loyalty.fixtures.js";
import { aReward, coin, given } from "../rewards/reward.fixtures.js";

const service = await startService();
const { api } = service;
const { entriesOf } = booksOf(service);

/** A member with points whose program gives a reward. */
async function aCard(points: number, reward: Record<string, unknown>, price: number | null, rules: string[] = []) {
  const program = await aProgram(service, {}, points);
  const { id } = await aReward(service, reward);
  const assignment = await given(service, program, { id }, price, rules);
  const { card, source_id } = await aMember(service, program);
  return { program, card, customer: { source_id }, reward: { id }, assignment };
}
type OfCard = Awaited<ReturnType<typeof aCard>>;

const bodyOf = ({ card, customer, reward }: OfCard, amount: number | null, points?: number) => ({
  redeemables: [{ object: "voucher", id: card.code, reward: { ...reward, points } }],
  customer,
  ...(amount === null ? {} : { order: { amount } }),
});
const errorOf = async (of: OfCard, amount: number | null, points?: number) => {
  const { body } = await api.post("/v1/validations", bodyOf(of, amount, points), 200);
  return body.inapplicable_redeemables[0].result.error;
};
const pointsOf = async ({ card }: OfCard) => {
  const { body } = await api.get(`/v1/vouchers/${card.code}`, 200);
  const { points, balance } = body.loyalty_card;
  const { redeemed_points, redeemed_quantity } = body.redemption;
  return { points, balance, redeemed_points, redeemed_quantity };
};

describe("paying with points", () => {
  test.each([
    // The first three are discounts.md §7's: 40 points are 5.00.
    { balance: 5000, points: 1200, amount: 12300, spent: 1000, discount: 12300 },
    { balance: 5000, points: 90, amount: 12300, spent: 80, discount: 1000 },
    { balance: 700, points: undefined, amount: 12300, spent: 680, discount: 8500 },
    // The last step is consumed whole.
    { balance: 5000, points: undefined, amount: 501, spent: 80, discount: 501 },
    { balance: 5000, points: 39, amount: 12300, spent: 0, discount: 0 },
    { balance: 5000, points: undefined, amount: 0, spent: 0, discount: 0 },
  ])(
    "$points of $balance points on $amount: $spent for $discount",
    async ({ balance, points, amount, spent, discount }) => {
      const of = await aCard(balance, coin(40, 5), null);
      const { body: valid } = await api.post("/v1/validations", bodyOf(of, amount, points), 200);
      expect(valid.redeemables[0].result).toEqual({ loyalty_card: { points: spent } });
      expect(valid.order.total_amount).toBe(amount - discount);
      const { body } = await api.post("/v1/redemptions", bodyOf(of, amount, points), 200);
      expect(body.redemptions[0]).toMatchObject({
        amount: spent,
        loyalty_card: { points: spent },
        status: "SUCCEEDED",
      });
      expect(body.order).toMatchObject({ amount, total_amount: amount - discount, status: "PAID" });
      const left = { points: balance, balance: balance - spent, redeemed_points: spent, redeemed_quantity: 1 };
      expect(await pointsOf(of)).toEqual(left);
      expect(await entriesOf(of.card.id)).toMatchObject(
        spent === 0 ? [] : [{ type: "POINTS_REDEMPTION", amount: -spent, balance: balance - spent, total: balance }],
      );
    },
  );

  test("takes what is left after the discounts before it", async () => {
    const of = await aCard(1000, coin(10, 1), null);
    const code = aName("HALF").replace(" ", "-");
    await api.post(`/v1/vouchers/${code}`, { discount: { type: "PERCENT", percent_off: 50 } }, 200);
    const { redeemables, ...request } = bodyOf(of, 2000);
    const stack = { ...request, redeemables: [{ object: "voucher", id: code }, ...redeemables] };
    const { body } = await api.post("/v1/redemptions", stack, 200);
    expect(body.redemptions.map(({ amount }: { amount?: number }) => amount)).toEqual([undefined, 100]);
    expect(body.order.total_amount).toBe(0);
  });

  test("is refused beyond the balance, below one step, and without an order or its amount", async () => {
    const of = await aCard(30, coin(40, 5), null);
    expect(await errorOf(of, 1000, 31)).toMatchObject({ key: "loyalty_card_points_exceeded", details: of.card.code });
    expect(await errorOf(of, 1000)).toMatchObject({ key: "loyalty_card_points_exceeded" });
    expect(await errorOf(of, null)).toMatchObject({
      key: "missing_order",
      details: "An order is required when redeeming a LOYALTY_CARD",
    });
    const { body } = await api.post("/v1/validations", { ...bodyOf(of, null), order: { metadata: {} } }, 200);
    expect(body.inapplicable_redeemables[0].result.error.key).toBe("missing_amount");
  });

  test("may be capped by a rule of the assignment", async () => {
    const points_used = {
      name: "redemption.reward.pay_with_points.points_used",
      conditions: { $less_than_or_equal: [50] },
    };
    const rules = { 1: points_used, logic: "1" };
    const { body: rule } = await api.post("/v1/validation-rules", { name: aName("cap"), rules }, 200);
    const of = await aCard(500, coin(1, 1), null, [rule.id]);
    expect(await errorOf(of, 10_000, 51)).toMatchObject({
      key: "redemption_rules_violated",
      details: `Loyalty Card cannot be redeemed because of violated validation rules: ${rule.id}`,
    });
    const { body } = await api.post("/v1/redemptions", bodyOf(of, 10_000, 50), 200);
    expect(body.redemptions[0].amount).toBe(50);
  });
});

describe("a reward at a price", () => {
  test("takes points, leaves the order as it is, and says what was given", async () => {
    const of = await aCard(100, { stock: 2, metadata: { shelf: "A" } }, 60);
    const { body } = await api.post(
      "/v1/redemptions",
      { ...bodyOf(of, 5000), options: { expand: ["redemption"] } },
      200,
    );
    const [redemption] = body.redemptions;
    expect(redemption).toMatchObject({
      amount: 60,
      loyalty_card: { points: 60 },
      related_object_type: "voucher",
      voucher: { id: of.card.id, loyalty_card: { balance: 40, points: 100 }, redemption: { redeemed_points: 60 } },
      reward: {
        id: of.reward.id,
        type: "MATERIAL",
        assignment_id: of.assignment.id,
        customer: { source_id: of.customer.source_id },
        product: { object: "product" },
        sku: null,
        voucher: null,
        metadata: { shelf: "A" },
        object: "reward",
      },
    });
    expect(body.order).toMatchObject({ amount: 5000, total_amount: 5000 });
    expect(body.order).not.toHaveProperty("total_applied_discount_amount");
    expect((await api.get(`/v1/rewards/${of.reward.id}`, 200)).body.redeemed).toBe(1);
    expect((await api.get(`/v1/redemptions/${redemption.id}`, 200)).body.reward).toEqual(redemption.reward);
    expect(await entriesOf(of.card.id)).toMatchObject([{ amount: -60, details: { reward: { id: of.reward.id } } }]);
  });

  test("is given no more often than it is there", async () => {
    const of = await aCard(100, { stock: 1 }, 10);
    await api.post("/v1/redemptions", bodyOf(of, null), 200);
    expect(await errorOf(of, null)).toMatchObject({ key: "reward_out_of_stock", details: of.reward.id });
    const { body } = await api.post("/v1/redemptions", bodyOf(of, null), 400);
    expect(body).toMatchObject({ key: "reward_out_of_stock", resource_id: expect.stringMatching(/^rf_/) });
    await api.put(`/v1/rewards/${of.reward.id}`, { stock: 2 }, 200);
    await api.post("/v1/redemptions", bodyOf(of, null), 200);
    expect(await pointsOf(of)).toMatchObject({ balance: 80 });
  });

  test("costs what the card has", async () => {
    const of = await aCard(9, {}, 10);
    expect(await errorOf(of, null)).toMatchObject({ key: "loyalty_card_points_exceeded", details: of.card.code });
  });
});

describe("a loyalty card", () => {
  test("is spent on a reward that is named, known, and given by its program", async () => {
    const of = await aCard(100, {}, 10);
    const other = await aCard(100, {}, 10);
    const asked = async (reward: unknown) => {
      const redeemables = [{ object: "voucher", id: of.card.code, reward }];
      const { body } = await api.post("/v1/validations", { redeemables, customer: of.customer }, 200);
      return body.inapplicable_redeemables?.[0].result.error ?? body.redeemables[0].result;
    };
    expect(await asked(undefined)).toMatchObject({ key: "missing_reward" });
    expect(await asked({})).toMatchObject({ key: "missing_reward" });
    const missing = { code: 404, key: "not_found", resource_type: "reward" };
    expect(await asked({ id: "rew_none" })).toMatchObject({ ...missing, resource_id: "rew_none" });
    expect(await asked(other.reward)).toMatchObject({ ...missing, resource_id: other.reward.id });
    expect(await asked({ ...of.reward, assignment_id: other.assignment.id })).toMatchObject(missing);
    expect(await asked({ assignment_id: of.assignment.id })).toEqual({ loyalty_card: { points: 10 } });
    const redeemables = [{ object: "voucher", id: of.card.code, reward: { id: "rew_none" } }];
    const { body } = await api.post("/v1/redemptions", { redeemables, customer: of.customer }, 404);
    expect(body).toMatchObject({ key: "not_found", resource_type: "reward", resource_id: "rew_none" });
  });

  test("is spent by whoever holds it", async () => {
    const of = await aCard(100, {}, 10);
    const refused = { key: "invalid_customer", message: "Customer must be a holder of a loyalty card." };
    for (const customer of [undefined, { source_id: aName("stranger") }]) {
      const { body } = await api.post("/v1/redemptions", { ...bodyOf(of, null), customer }, 400);
      expect(body).toMatchObject({ ...refused, details: of.card.code });
    }
  });

  test("a price that was changed counts for the next request", async () => {
    const of = await aCard(100, {}, 10);
    const one = `/v1/rewards/${of.reward.id}/assignments/${of.assignment.id}`;
    await api.put(one, { parameters: { loyalty: { points: 70 } } }, 200);
    const { body } = await api.post("/v1/redemptions", bodyOf(of, null), 200);
    expect(body.redemptions[0].amount).toBe(70);
    await api.delete(one, 204);
    await api.post("/v1/redemptions", bodyOf(of, null), 404);
  });

  test("keeps the points that a session holds", async () => {
    const of = await aCard(100, coin(1, 1), null);
    const session = { type: "LOCK", key: aName("session") };
    await api.post("/v1/validations", { ...bodyOf(of, 6000), session }, 200);
    const { body } = await api.get(`/v1/vouchers/${of.card.code}/sessions`, 200);
    expect(body.sessions).toMatchObject([{ key: session.key, credits: 60 }]);
    expect(await errorOf(of, 10_000, 41)).toMatchObject({ key: "loyalty_card_points_exceeded" });
    await api.post("/v1/redemptions", bodyOf(of, 4000, 40), 200);
    await api.post("/v1/redemptions", { ...bodyOf(of, 6000, 60), session }, 200);
    expect(await pointsOf(of)).toMatchObject({ balance: 0, redeemed_points: 100, redeemed_quantity: 2 });
  });
});

describe("the older calls", () => {
  test("validate a card, and say what it costs", async () => {
    const of = await aCard(100, coin(10, 1), null);
    const { customer, reward } = of;
    const validate = `/v1/vouchers/${of.card.code}/validate`;
    const { body } = await api.post(validate, { customer, reward, order: { amount: 250 } }, 200);
    expect(body).toMatchObject({
      valid: true,
      loyalty: { points_cost: 30 },
      reward: { id: reward.id, assignment_id: of.assignment.id, points: 30 },
      order: { total_amount: 0 },
    });
    expect((await api.post(validate, { customer }, 400)).body.key).toBe("missing_reward");
    expect((await api.post(validate, { customer, reward }, 400)).body.key).toBe("missing_order");
    const { body: beyond } = await api.post(
      validate,
      { customer, reward: { ...reward, points: 101 }, order: { amount: 1 } },
      200,
    );
    expect(beyond).toMatchObject({ valid: false, reason: "loyalty card points exceeded" });
  });

  test("redeem a voucher's code", async () => {
    const of = await aCard(100, {}, 10);
    const { customer, reward } = of;
    const { body } = await api.post(`/v1/vouchers/${of.card.code}/redemption`, { customer, reward }, 200);
    expect(body).toMatchObject({ amount: 10, reward: { id: reward.id }, order: null });
  });

  test("redeem a member's card for its holder, by code or id, alone or under its program", async () => {
    const of = await aCard(100, {}, 10);
    const { reward, card, program } = of;
    const calls = [`members/${card.code}`, `members/${card.id}`, `${program.id}/members/${card.code}`];
    for (const call of calls) {
      const { body } = await api.post(`/v1/loyalties/${call}/redemption`, { reward, metadata: { call } }, 200);
      expect(body).toMatchObject({
        object: "redemption",
        amount: 10,
        customer: { source_id: of.customer.source_id },
        reward: { id: reward.id },
        metadata: { call },
      });
    }
    const other = await aProgram(service);
    const elsewhere = await api.post(`/v1/loyalties/${other.id}/members/${card.code}/redemption`, { reward }, 404);
    expect(elsewhere.body.resource_type).toBe("voucher");
    const unknown = await api.post(`/v1/loyalties/camp_none/members/${card.code}/redemption`, { reward }, 404);
    expect(unknown.body.resource_type).toBe("campaign");
    expect((await api.post(`/v1/loyalties/members/${card.code}/redemption`, {}, 400)).body.key).toBe("missing_reward");
  });
});

describe("a rollback", () => {
  test.each([
    ["points that were paid with", coin(10, 1), null, 90],
    ["the price of a reward", { stock: 1 }, 40, 40],
  ])("gives %s back in full, and takes the reward", async (_what, fields, price, spent) => {
    const of = await aCard(100, fields, price);
    const { body } = await api.post("/v1/redemptions", bodyOf(of, 900), 200);
    const [redemption] = body.redemptions;
    const { body: rollback } = await api.post(`/v1/redemptions/${redemption.id}/rollback`, {}, 200);
    expect(rollback).toMatchObject({
      object: "redemption_rollback",
      amount: -spent,
      loyalty_card: { points: -spent },
      reward: { id: of.reward.id },
      voucher: { loyalty_card: { balance: 100 } },
      order: { status: "CANCELED", total_amount: 900 },
    });
    expect(await pointsOf(of)).toEqual({ points: 100, balance: 100, redeemed_points: 0, redeemed_quantity: 0 });
    expect((await api.get(`/v1/rewards/${of.reward.id}`, 200)).body.redeemed).toBe(0);
    expect(await entriesOf(of.card.id)).toMatchObject([
      { type: "POINTS_REDEMPTION", amount: -spent },
      { type: "POINTS_REFUND", amount: spent, balance: 100, total: 100, details: { reward: { id: of.reward.id } } },
    ]);
    await api.post(`/v1/redemptions/${redemption.id}/rollback`, {}, 400);
    await api.post("/v1/redemptions", bodyOf(of, 900), 200);
  });

  test("takes no gift credits off its campaign's counters", async () => {
    const of = await aCard(100, {}, 40);
    const { body } = await api.post(`/v1/loyalties/members/${of.card.code}/redemption`, { reward: of.reward }, 200);
    await api.post(`/v1/redemptions/${body.id}/rollback`, {}, 200);
    const { sql } = await import("../../platform/db/sql.js");
    const { gift_credits } = await service.context.db.one<{ gift_credits: number }>(sql`
      select sum(usage_days.gift_credits) as gift_credits from usage_days
       where usage_days.project_id = ${service.project.id} and usage_days.object_id = ${of.program.id}`);
    expect(Number(gift_credits)).toBe(0);
  });
});
