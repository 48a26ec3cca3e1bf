import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { aReward, coin, given } from "../../rewards/reward.fixtures.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";
import { nightSchedule } from "../nights/index.js";
import { night_steps } from "./index.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { clock, context, runDue } = service;

const at = (text: string) => clock.set(text);

/** A project with a program of its own, since nights that are done do not come again. */
async function aShop(points = 0, expiration_rules: object | null = null) {
  at("2027-05-14T12:00:00Z");
  const project = await service.anotherProject({ timezone: "America/New_York" });
  const { api } = project;
  const voucher = { type: "LOYALTY_CARD", loyalty_card: { points, expiration_rules } };
  const program = await aProgram(project, { voucher });
  const entriesOf = async ({ id }: { id: string }) =>
    (await api.get(`/v1/loyalties/members/${id}/transactions?order=id`, 200)).body.data;
  return {
    project,
    api,
    program,
    /** A card with lots of these days beside what has no day. */
    async aCard(lots: Record<string, number>) {
      const { card, source_id } = await aMember(project, program);
      for (const [expiration_date, points] of Object.entries(lots)) {
        const dated = { points, expiration_type: "CUSTOM_DATE", expiration_date };
        await api.post(`/v1/loyalties/members/${card.code}/balance`, dated, 200);
      }
      return { card, source_id };
    },
    /** Spends points of a card on money off an order; a point is worth as much. */
    async spender({ card, source_id }: { card: { code: string }; source_id: string }) {
      const reward = await aReward(project, coin(1, 1));
      await given(project, program, reward, 1);
      return (points: number) =>
        api.post("/v1/redemptions", {
          redeemables: [{ object: "voucher", id: card.code, reward: { id: reward.id, points } }],
          customer: { source_id },
          order: { amount: 10_000 },
        });
    },
    cardNow: async ({ id }: { id: string }) => (await api.get(`/v1/loyalties/members/${id}`, 200)).body.loyalty_card,
    entriesOf,
    expiriesOf: async (card: { id: string }) =>
      (await entriesOf(card))
        .filter(({ type }: { type: string }) => type === "POINTS_EXPIRATION")
        .map((entry: { created_at: string; details: { balance: { points: number } } }) => [
          entry.created_at,
          entry.details.balance.points,
        ]),
    bucketsOf: async (card: { id: string }, query = "") =>
      (await api.get(`/v1/loyalties/${program.id}/members/${card.id}/points-expiration${query}`, 200)).body,
  };
}

describe("points that expire (loyalty.md §6.5)", () => {
  test("are gone with the end of their last day where the project is, in one line of the books", async () => {
    const { program, aCard, cardNow, entriesOf, bucketsOf } = await aShop(100);
    const { card } = await aCard({ "2027-05-31": 30, "2027-06-30": 5 });
    at("2027-06-01T03:59:00Z");
    await runDue();
    expect(await cardNow(card)).toMatchObject({ balance: 135, next_expiration_date: "2027-05-31" });
    at("2027-06-01T04:00:00Z");
    await runDue();
    await runDue();
    expect(await cardNow(card)).toMatchObject({
      points: 135,
      balance: 105,
      expired_points: 30,
      next_expiration_date: "2027-06-30",
      next_expiration_points: 5,
    });
    expect((await entriesOf(card)).at(-1)).toEqual({
      id: expect.stringMatching(/^vtx_/),
      source_id: null,
      voucher_id: card.id,
      campaign_id: program.id,
      source: "Automation",
      reason: null,
      type: "POINTS_EXPIRATION",
      details: {
        balance: {
          type: "loyalty_card",
          total: 105,
          object: "balance",
          points: -30,
          balance: 105,
          operation_type: "AUTOMATIC",
          related_object: { type: "voucher", id: card.id },
        },
      },
      related_transaction_id: null,
      created_at: "2027-06-01T04:00:00.000Z",
    });
    const buckets = (await bucketsOf(card)).data;
    expect(buckets.map((it: { expires_at?: string }) => it.expires_at)).toEqual(["2027-06-30", undefined]);
  });

  test("of several lots and missed midnights expire in their order, each at its own", async () => {
    const { aCard, cardNow, expiriesOf } = await aShop(1);
    const { card } = await aCard({ "2027-05-31": 3, "2027-06-01": 4, "2027-07-15": 5 });
    at("2027-07-20T09:00:00Z");
    await runDue();
    expect(await expiriesOf(card)).toEqual([
      ["2027-06-01T04:00:00.000Z", -3],
      ["2027-06-02T04:00:00.000Z", -4],
      ["2027-07-16T04:00:00.000Z", -5],
    ]);
    expect(await cardNow(card)).toMatchObject({ balance: 1, expired_points: 12 });
  });

  test("that were spent before leave no line, and an empty lot is shown until its day is over", async () => {
    const { api, aCard, expiriesOf, bucketsOf } = await aShop(10);
    const { card } = await aCard({ "2027-05-31": 3 });
    await api.post(`/v1/loyalties/members/${card.code}/balance`, { points: -3 }, 200);
    expect((await bucketsOf(card)).data).toMatchObject([
      { bucket: { total_points: 0 }, status: "ACTIVE", expires_at: "2027-05-31" },
      { bucket: { total_points: 10 }, status: "ACTIVE" },
    ]);
    at("2027-06-02T09:00:00Z");
    await runDue();
    expect(await expiriesOf(card)).toEqual([]);
    expect((await bucketsOf(card)).total).toBe(1);
  });

  test("can be spent on their last day, and no more after it, even while no night has come by", async () => {
    const { aCard, cardNow, expiriesOf, spender } = await aShop(20);
    const member = await aCard({ "2027-05-31": 40 });
    const { card } = member;
    const spend = await spender(member);
    at("2027-06-01T03:00:00Z");
    expect((await spend(25)).status).toBe(200);
    at("2027-06-01T05:00:00Z");
    expect((await spend(21)).body.key).toBe("loyalty_card_points_exceeded");
    expect((await spend(20)).status).toBe(200);
    expect(await cardNow(card)).toMatchObject({ balance: 15 });
    await runDue();
    expect(await expiriesOf(card)).toEqual([["2027-06-01T04:00:00.000Z", -15]]);
    expect(await cardNow(card)).toMatchObject({ balance: 0, expired_points: 15 });
  });

  test("expire once for each card, however many run the night and wherever they are killed", async () => {
    const { project, aCard, expiriesOf } = await aShop();
    const cards = [];
    for (let i = 0; i < 12; i += 1) cards.push((await aCard({ "2027-05-20": 2, "2027-05-21": 3 })).card);
    await runDue();
    let transactions = 0;
    const log = { ...context.log, warn() {}, error() {} } as unknown as Context["log"];
    const mortal: Context = {
      ...context,
      log,
      db: {
        ...context.db,
        transaction: <Answer>(work: (tx: Tx) => Promise<Answer>) =>
          context.db.transaction(async (tx) => {
            const answer = await work(tx);
            if (transactions++ % 3 !== 2) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
            return answer;
          }),
      },
    };
    at("2027-05-22T05:00:00Z");
    // Slices of five, so that there are several to be killed in.
    const few = night_steps.map((step) => ({
      ...step,
      findCards: (...[tx, night, after_id]: Parameters<typeof step.findCards>) =>
        step.findCards(tx, night, after_id, 5),
    }));
    const schedule = nightSchedule(few);
    const walk = async () => {
      for (let tries = 0; tries < 12; tries += 1)
        await schedule.runDue(mortal, clock.now(), [project.id]).catch(() => undefined);
    };
    await Promise.all([walk(), walk()]);
    await runDue();
    expect(transactions).toBeGreaterThan(6);
    for (const card of cards) {
      expect(await expiriesOf(card)).toEqual([
        ["2027-05-21T04:00:00.000Z", -2],
        ["2027-05-22T04:00:00.000Z", -3],
      ]);
    }
  });

  test("of a card that was deleted are closed in the books, and nobody is told", async () => {
    const { project, api, aCard } = await aShop();
    const { card } = await aCard({ "2027-05-31": 3 });
    await api.delete(`/v1/vouchers/${card.code}?force=true`, 204);
    at("2027-06-02T09:00:00Z");
    await runDue();
    const sums = await context.db.one(sql`
      select card_balances.balance, card_balances.expired,
             (select count(*) from events where events.project_id = card_balances.project_id
                 and events.entity_id = card_balances.voucher_id and events.type like '%expired') as told
        from card_balances where card_balances.project_id = ${project.id} and card_balances.voucher_id = ${card.id}`);
    expect(sums).toEqual({ balance: 0, expired: 3, told: 0 });
  });
});

describe("a redemption that is rolled back", () => {
  test("gives points back to the lots that they came from; where one is over, to that of today's points", async () => {
    const { api, aCard, bucketsOf, spender } = await aShop(10, { period_type: "MONTH", period_value: 3 });
    const member = await aCard({ "2027-05-31": 10, "2027-06-30": 10 });
    const { card } = member;
    const spendSome = await spender(member);
    const spend = async () => (await spendSome(25)).body.redemptions[0];
    const left = async () =>
      (await bucketsOf(card)).data.map((it: { expires_at?: string; bucket: { total_points: number } }) => [
        it.expires_at,
        it.bucket.total_points,
      ]);
    const first = await spend();
    expect(first.voucher.loyalty_card).toMatchObject({
      balance: 5,
      next_expiration_date: null,
      next_expiration_points: 5,
    });
    expect(await left()).toEqual([
      ["2027-05-31", 0],
      ["2027-06-30", 0],
      [undefined, 5],
    ]);
    await api.post(`/v1/redemptions/${first.id}/rollback`, {}, 200);
    expect(await left()).toEqual([
      ["2027-05-31", 10],
      ["2027-06-30", 10],
      [undefined, 10],
    ]);
    const second = await spend();
    at("2027-06-02T12:00:00Z");
    await runDue();
    const { body } = await api.post(`/v1/redemptions/${second.id}/rollback`, {}, 200);
    expect(body.voucher.loyalty_card).toMatchObject({
      balance: 30,
      next_expiration_date: "2027-06-30",
      next_expiration_points: 10,
    });
    expect(await left()).toEqual([
      ["2027-06-30", 10],
      ["2027-09-02", 10],
      [undefined, 10],
    ]);
  });
});

describe("GET …/points-expiration", () => {
  test("lists what expires by day, and last what does not, in pages", async () => {
    const { api, program, aCard, bucketsOf } = await aShop(100);
    const { card } = await aCard({ "2027-06-30": 45, "2027-05-31": 30 });
    const all = await bucketsOf(card);
    expect(all).toMatchObject({ object: "list", data_ref: "data", total: 3 });
    expect(all.data[0]).toEqual({
      id: expect.stringMatching(/^lopb_/),
      voucher_id: card.id,
      campaign_id: program.id,
      bucket: { total_points: 30 },
      status: "ACTIVE",
      expires_at: "2027-05-31",
      created_at: "2027-05-14T12:00:00.000Z",
      object: "loyalty_points_bucket",
    });
    for (const [limit, page, places] of [
      [2, 1, [0, 1]],
      [2, 2, [2]],
      [3, 1, [0, 1, 2]],
      [3, 2, []],
      [1, 3, [2]],
      [1, 4, []],
    ] as const) {
      const { data, total } = await bucketsOf(card, `?limit=${limit}&page=${page}`);
      expect(data).toEqual(places.map((place) => all.data[place]));
      expect(total).toBe(3);
    }
    await api.get(`/v1/loyalties/none/members/${card.id}/points-expiration`, 404);
    await api.get(`/v1/loyalties/${program.id}/members/none/points-expiration`, 404);
    await api.get(`/v1/loyalties/${program.id}/members/${card.id}/points-expiration?limit=0`, 400);
  });

  test("lists nothing of a card that never held any points", async () => {
    const { aCard, bucketsOf } = await aShop();
    const { card } = await aCard({});
    expect(await bucketsOf(card)).toMatchObject({ data: [], total: 0 });
  });
});
