import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import type { Context } from "../../../platform/context.js";
import { sql } from "../../../platform/db/sql.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";
import { nightSchedule } from "../nights/index.js";
import { night_steps } from "./index.js";

const service = await startService({ now: "2027-05-14T12:00:00Z" });
const { clock, context } = service;

async function aShop() {
  const project = await service.anotherProject();
  const voucher = { type: "LOYALTY_CARD", loyalty_card: { points: 10 } };
  const program = await aProgram(project, { voucher });
  const cards = [(await aMember(project, program)).card, (await aMember(project, program)).card];
  const add = (card: { code: string }, points: number, expiration_date?: string) =>
    project.api.post(
      `/v1/loyalties/members/${card.code}/balance`,
      { points, ...(expiration_date ? { expiration_type: "CUSTOM_DATE", expiration_date } : {}) },
      200,
    );
  const owed = async () => (await project.api.get(`/v1/loyalties/${program.id}/liability`, 200)).body;
  return { project, program, cards, add, owed };
}

describe("what a program owes its members", () => {
  test("is the sum of its cards, with what expires by the month", async () => {
    const { project, program, cards, add, owed } = await aShop();
    const [a, b] = cards as [(typeof cards)[0], (typeof cards)[0]];
    await aMember(
      project,
      await aProgram(project, { voucher: { type: "LOYALTY_CARD", loyalty_card: { points: 99 } } }),
    );
    await add(a, 5, "2027-06-01");
    await add(b, 7, "2027-06-30");
    await add(b, 3, "2028-01-31");
    await add(a, 4);
    await add(a, -2);
    expect(await owed()).toEqual({
      campaign_id: program.id,
      outstanding: 37,
      pending: 0,
      not_expiring: 24,
      expiring: [
        { month: "2027-06-01", points: 10 },
        { month: "2028-01-01", points: 3 },
      ],
      object: "liability",
    });
    clock.advance({ days: 31 });
    await service.runDue();
    expect(await owed()).toMatchObject({ outstanding: 34, expiring: [{ points: 7 }, { points: 3 }] });
    clock.set("2027-05-14T12:00:00Z");
    await project.api.get("/v1/loyalties/none/liability", 404);
  });

  test("has points that wait for their day beside what is on the cards, until then", async () => {
    const { project, program, owed } = await aShop();
    const loyalty = { type: "FIXED", points: 8 };
    const pending_points = { period_type: "DAY", period_value: 2 };
    const rule = { event: "order.paid", loyalty, pending_points, source: { banner: "Later" } };
    await project.api.post(`/v1/loyalties/${program.id}/earning-rules`, [rule], 200);
    const { source_id } = await aMember(project, program);
    await project.api.post("/v1/orders", { customer: { source_id }, amount: 1000, status: "PAID" }, 200);
    await service.runDue();
    expect(await owed()).toMatchObject({ pending: 8, outstanding: 30 });
    for (const days of [1, 1]) {
      clock.advance({ days });
      await service.runDue();
    }
    expect(await owed()).toMatchObject({ pending: 0, outstanding: 38 });
    clock.set("2027-05-14T12:00:00Z");
  });

  test("is told as far as a number goes where members hold more together", async () => {
    const { cards, add, owed } = await aShop();
    const largest = Number.MAX_SAFE_INTEGER;
    for (const card of cards) await add(card, largest - 10, "2027-06-01");
    const expiring = [{ month: "2027-06-01", points: largest }];
    expect(await owed()).toMatchObject({ outstanding: largest, not_expiring: 0, expiring });
  });
});

describe("the books of cards, each night", () => {
  /** What is told of cards whose books are off, by a night over them. */
  async function toldOfNight({ project }: Awaited<ReturnType<typeof aShop>>) {
    const told: unknown[] = [];
    let counted = 0;
    const looking: Context = {
      ...context,
      log: { ...context.log, error: (said: unknown) => told.push(said) } as unknown as Context["log"],
      metrics: { ...context.metrics, booksBroken: (more) => (counted += more) },
    };
    clock.advance({ days: 1 });
    while (await nightSchedule(night_steps).runDue(looking, clock.now(), [project.id]));
    clock.set("2027-05-14T12:00:00Z");
    return { told, counted };
  }

  /** Gives cards a point that is in no book. */
  const spoil = (project_id: string, ids: readonly string[]) =>
    context.db.run(sql`
      update card_balances set added = card_balances.added + 1, balance = card_balances.balance + 1
       where card_balances.project_id = ${project_id} and card_balances.voucher_id = any(${ids}::text[])`);

  test("are compared with what cards hold: a difference is told and left as it is", async () => {
    const shop = await aShop();
    const { project, cards, add } = shop;
    const [broken, sound] = cards as [(typeof cards)[0], (typeof cards)[0]];
    await add(broken, 5, "2027-12-31");
    await add(sound, 5, "2027-12-31");
    await service.runDue();
    await spoil(project.id, [broken.id]);
    const { told, counted } = await toldOfNight(shop);
    const laws = ["the newest entry says the balance", "the newest entry says the total", "entries sum to the balance"];
    const card = { voucher_id: broken.id, balance: 16, entries: 15, dated: 5, broken: laws };
    expect(told).toEqual([{ project_id: project.id, count: 1, cards: [card] }]);
    expect(counted).toBe(1);
    const { loyalty_card } = (await project.api.get(`/v1/loyalties/members/${broken.id}`, 200)).body;
    expect(loyalty_card.balance).toBe(16);
  });

  test("that are off in many cards are told with a few of them and their number", async () => {
    const shop = await aShop();
    const { project, program } = shop;
    for (let i = 0; i < 5; i += 1) shop.cards.push((await aMember(project, program)).card);
    await service.runDue();
    const ids = shop.cards.map(({ id }) => id);
    await spoil(project.id, ids);
    const { told, counted } = await toldOfNight(shop);
    expect(told).toMatchObject([{ project_id: project.id, count: 7, cards: { length: 5 } }]);
    expect(counted).toBe(7);
  });
});
