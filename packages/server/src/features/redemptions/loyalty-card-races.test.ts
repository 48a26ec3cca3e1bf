import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { aMember, aProgram } from "../loyalties/loyalty.fixtures.js";
import { aReward, coin, given } from "../rewards/reward.fixtures.js";

const service = await startService();
const { api, context, project } = service;

const redeemed = async (card: { code: string }, reward: { id: string }, more: Record<string, unknown> = {}) =>
  api.post(`/v1/loyalties/members/${card.code}/redemption`, { reward, ...more });
const countOf = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe("at once", () => {
  test("a stock of three is given three times, whoever asks", async () => {
    const program = await aProgram(service, {}, 1000);
    const reward = await aReward(service, { stock: 3 });
    await given(service, program, reward, 10);
    const members = await Promise.all(Array.from({ length: 8 }, () => aMember(service, program)));
    const answers = await Promise.all(members.map(({ card }) => redeemed(card, reward)));
    expect([countOf(answers, 200), countOf(answers, 400)]).toEqual([3, 5]);
    expect((await api.get(`/v1/rewards/${reward.id}`, 200)).body.redeemed).toBe(3);
  });

  test("a card with points for four rewards pays for four", async () => {
    const program = await aProgram(service, {}, 45);
    const reward = await aReward(service);
    await given(service, program, reward, 10);
    const { card } = await aMember(service, program);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeemed(card, reward)));
    expect([countOf(answers, 200), countOf(answers, 400)]).toEqual([4, 6]);
    const { balance } = (await api.get(`/v1/vouchers/${card.code}`, 200)).body.loyalty_card;
    expect(balance).toBe(5);
  });

  test("many who pay with points are all counted", async () => {
    const program = await aProgram(service, {}, 100);
    const reward = await aReward(service, coin(1, 1));
    await given(service, program, reward);
    const members = await Promise.all(Array.from({ length: 12 }, () => aMember(service, program)));
    const answers = await Promise.all(members.map(({ card }) => redeemed(card, reward, { order: { amount: 500 } })));
    expect(countOf(answers, 200)).toBe(12);
    expect((await api.get(`/v1/rewards/${reward.id}`, 200)).body.redeemed).toBe(12);
  });
});

describe("the books of a card", () => {
  const move = fc.oneof(
    fc.record({ spend: fc.integer({ min: 0, max: 60 }), amount: fc.integer({ min: 0, max: 9000 }) }),
    fc.record({ undo: fc.nat(5) }),
  );

  test("opening and entries sum to the balance, which is never negative, whatever is spent and undone", async () => {
    const program = await aProgram(service, {}, 100);
    const reward = await aReward(service, coin(7, 0.9));
    await given(service, program, reward);
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 8 }), async (moves) => {
        const { card } = await aMember(service, program);
        const made: string[] = [];
        for (const one of moves) {
          if ("undo" in one) {
            const id = made[one.undo % Math.max(1, made.length)];
            if (id) await api.post(`/v1/redemptions/${id}/rollback`, {});
          } else {
            const { spend: points, amount } = one;
            const { status, body } = await redeemed(card, { ...reward, points } as never, { order: { amount } });
            if (status === 200) made.push(body.id);
          }
        }
        await expectBalanced(card.id);
      }),
      { numRuns: 12 },
    );
  });

  async function expectBalanced(voucher_id: string) {
    const books = await context.db.one<Record<string, number>>(sql`
      select card_balances.opening, card_balances.balance, card_balances.redeemed,
             coalesce((select sum(ledger_entries.amount) from ledger_entries
                        where ledger_entries.project_id = ${project.id} and ledger_entries.voucher_id = ${voucher_id}), 0)::bigint as entries,
             coalesce((select sum(redemptions.amount) from redemptions
                        where redemptions.project_id = ${project.id} and redemptions.voucher_id = ${voucher_id}), 0)::bigint as spent
        from card_balances where card_balances.project_id = ${project.id} and card_balances.voucher_id = ${voucher_id}`);
    const { opening = 0, balance = 0, redeemed: counted, entries = 0, spent } = books;
    expect(balance).toBe(opening + entries);
    expect(balance).toBeGreaterThanOrEqual(0);
    expect(counted).toBe(spent);
  }
});
