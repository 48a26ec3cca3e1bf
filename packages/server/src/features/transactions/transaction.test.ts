import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aMember, aName, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aReward, coin, given } from "../rewards/reward.fixtures.js";

const service = await startService();
const { api, clock, context, project } = service;

async function aGift(amount: number) {
  const code = aName("GIFT").replace(" ", "-");
  const { body } = await api.post(`/v1/vouchers/${code}`, { type: "GIFT_VOUCHER", gift: { amount } }, 200);
  return body as { id: string; code: string };
}
const adjusted = (code: string, amount: unknown, status: number, more: Record<string, unknown> = {}) =>
  api.post(`/v1/vouchers/${code}/balance`, { amount, ...more }, status);
const transactionsOf = async (code: string, query = "") =>
  (await api.get(`/v1/vouchers/${code}/transactions${query}`, 200)).body;

describe("a balance changed by hand", () => {
  test("adds credits and takes them away: the table of vouchers-and-campaigns.md §14.1", async () => {
    const { id, code } = await aGift(8000);
    const order = { source_id: aName("order"), amount: 1500 };
    const { body: redemption } = await api.post(
      `/v1/vouchers/${code}/redemption`,
      { gift: { credits: 1500 }, order },
      200,
    );
    const { body: added } = await adjusted(code, 2000, 200, { source_id: "mine", reason: "sorry" });
    expect(added).toEqual({
      amount: 2000,
      total: 10000,
      balance: 8500,
      type: "gift_voucher",
      operation_type: "MANUAL",
      object: "balance",
      related_object: { type: "voucher", id },
    });
    expect((await adjusted(code, -700, 200)).body).toMatchObject({ amount: -700, total: 9300, balance: 7800 });
    await api.post(`/v1/redemptions/${redemption.id}/rollback`, {}, 200);
    const { body } = await api.get(`/v1/vouchers/${code}`, 200);
    expect(body.gift).toMatchObject({ amount: 10000, subtracted_amount: 700, balance: 9300 });
    expect(body.redemption.redeemed_amount).toBe(0);
    const { data } = await transactionsOf(code, "?order=id");
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      "CREDITS_REDEMPTION",
      "CREDITS_ADDITION",
      "CREDITS_REMOVAL",
      "CREDITS_REFUND",
    ]);
    const balance = (amount: number, total: number, left: number) => ({
      type: "gift_voucher",
      total,
      object: "balance",
      amount,
      balance: left,
      operation_type: "MANUAL",
      related_object: { id, type: "voucher" },
    });
    expect(data[1]).toEqual({
      id: expect.stringMatching(/^vtx_/),
      source_id: "mine",
      voucher_id: id,
      campaign_id: null,
      source: "API",
      reason: "sorry",
      type: "CREDITS_ADDITION",
      details: { balance: balance(2000, 10000, 8500) },
      related_transaction_id: null,
      created_at: new Date(clock.now()).toISOString(),
    });
    const paid = { id: redemption.order.id, source_id: order.source_id };
    expect(data[0]).toMatchObject({ source: null, details: { order: paid, redemption: { id: redemption.id } } });
    expect(data[0].details.balance).toEqual(balance(-1500, 8000, 6500));
    expect(data[3].details).toMatchObject({
      redemption: { id: redemption.id },
      rollback: { id: expect.stringMatching(/^rr_/) },
    });
  });

  test("adds points to a card that somebody holds", async () => {
    const program = await aProgram(service, {}, 10);
    const { card } = await aMember(service, program);
    const { body } = await adjusted(card.code, 5, 200);
    expect(body).toMatchObject({ amount: 5, total: 15, balance: 15, type: "loyalty_card" });
    await adjusted(card.code, -15, 200);
    const { data } = await transactionsOf(card.code);
    expect(data).toMatchObject([
      { type: "POINTS_REMOVAL", campaign_id: program.id, details: { balance: { points: -15, balance: 0, total: 0 } } },
      { type: "POINTS_ADDITION", details: { balance: { type: "loyalty_card", points: 5, balance: 15 } } },
    ]);
    await api.post(`/v1/campaigns/${program.id}/vouchers/NOBODYS`, {}, 200);
    expect((await adjusted("NOBODYS", 5, 400)).body.key).toBe("invalid_add_balance_params");
  });

  test("is refused where there is nothing to change, or not that much", async () => {
    const { code } = await aGift(100);
    for (const amount of [0, -101, Number.MAX_SAFE_INTEGER])
      expect((await adjusted(code, amount, 400)).body.key).toBe("invalid_add_balance_params");
    for (const amount of [undefined, null, 1.5, "5"])
      expect((await adjusted(code, amount, 400)).body.key).toBe("invalid_payload");
    const coupon = aName("COUPON").replace(" ", "-");
    await api.post(`/v1/vouchers/${coupon}`, { discount: { type: "AMOUNT", amount_off: 1 } }, 200);
    expect((await adjusted(coupon, 5, 400)).body.key).toBe("invalid_voucher");
    expect((await adjusted("NONE", 5, 404)).body.resource_type).toBe("voucher");
    expect((await transactionsOf(code)).data).toEqual([]);
    expect((await transactionsOf(coupon)).data).toEqual([]);
  });

  test("works on a card that is switched off, and tells what happened", async () => {
    const { id, code } = await aGift(100);
    await api.post(`/v1/vouchers/${code}/disable`, {}, 200);
    await adjusted(code, 1, 200);
    const { type } = await context.db.one<{ type: string }>(sql`
      select events.type from events
       where events.project_id = ${project.id} and events.entity_id = ${id} and events.type like 'voucher.gift.%'`);
    expect(type).toBe("voucher.gift.balance_added");
  });

  test("two that take all at once: one of them does", async () => {
    const { code } = await aGift(100);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => api.post(`/v1/vouchers/${code}/balance`, { amount: -100 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });
});

describe("the transactions of a card", () => {
  test("come page by page, newest first", async () => {
    const { code } = await aGift(0);
    for (const amount of [1, 2, 3]) await adjusted(code, amount, 200);
    const first = await transactionsOf(code, "?limit=2");
    expect(first).toMatchObject({ object: "list", data_ref: "data", has_more: true });
    expect(first.more_starting_after).toBe(first.data[1].id);
    const second = await transactionsOf(code, `?limit=2&starting_after_id=${first.more_starting_after}`);
    expect(second.data).toMatchObject([{ details: { balance: { amount: 1 } } }]);
    expect(second.has_more).toBe(false);
    expect(second).not.toHaveProperty("more_starting_after");
  });

  test("name the reward that points were spent on", async () => {
    const program = await aProgram(service, {}, 100);
    const reward = await aReward(service, coin(1, 1));
    await given(service, program, reward);
    const { card } = await aMember(service, program);
    const order = { source_id: aName("order"), amount: 1000 };
    const redeem = `/v1/loyalties/members/${card.code}/redemption`;
    const { body: redemption } = await api.post(redeem, { reward: { id: reward.id }, order }, 200);
    const { data } = (await api.get(`/v1/loyalties/${program.id}/members/${card.id}/transactions`, 200)).body;
    expect(data).toMatchObject([
      {
        type: "POINTS_REDEMPTION",
        details: {
          balance: { type: "loyalty_card", points: -10, balance: 90, total: 100 },
          order: { id: redemption.order.id, source_id: order.source_id },
          redemption: { id: redemption.id },
          reward: { id: reward.id, name: reward.name },
        },
      },
    ]);
  });

  test("sum to the balance, whatever is added, taken away and spent", async () => {
    const move = fc.record({ by_hand: fc.boolean(), amount: fc.integer({ min: -500, max: 500 }) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 900 }), fc.array(move, { maxLength: 8 }), async (opening, moves) => {
        const { code } = await aGift(opening);
        for (const { by_hand, amount } of moves) {
          if (by_hand) await api.post(`/v1/vouchers/${code}/balance`, { amount });
          else await api.post(`/v1/vouchers/${code}/redemption`, { order: { amount: Math.abs(amount) } });
        }
        const { data } = await transactionsOf(code, "?order=id&limit=100");
        let balance = opening;
        for (const { details } of data) {
          balance += details.balance.amount;
          expect(details.balance.balance).toBe(balance);
          expect(balance).toBeGreaterThanOrEqual(0);
        }
        expect((await api.get(`/v1/vouchers/${code}`, 200)).body.gift.balance).toBe(balance);
      }),
      { numRuns: 15 },
    );
  });
});
