import { describe, expect, test } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import { books } from "../../../books/index.js";
import { createDispatcher } from "../../../events/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { newId } from "../../../platform/ids.js";
import { runDue as runWorks } from "../../../platform/jobs/loop.js";
import { aMember, aProgram } from "../loyalty.fixtures.js";
import { consumers, type NightSlice, type NightStep, nightSchedule } from "./index.js";

const service = await startService();
const { context, clock } = service;

/** Gives each of the cards a point every night from the first one on, and says so in the books. */
function aStep(
  name: NightStep["name"],
  cards: readonly string[],
  first = "0001-01-01",
  more: Partial<NightStep> = {},
): NightStep {
  return {
    name,
    firstNight: async () => first,
    findCards: async (_tx, { day }, after_id, cards_max) =>
      day < first ? [] : cards.filter((id) => id > after_id).slice(0, cards_max),
    run: (slice) => onePoint(slice, name),
    ...more,
  };
}

async function onePoint({ change, night: { project, day }, card_ids }: NightSlice, name: string): Promise<void> {
  const known = await change.tx.many<{ voucher_id: string; balance: number }>(sql`
    select card_balances.voucher_id, card_balances.balance from card_balances
     where card_balances.project_id = ${project.id} and card_balances.voucher_id = any(${card_ids}::text[])`);
  for (const { voucher_id, balance } of known) {
    const nothing = {
      redemption_id: null,
      rollback_id: null,
      order_id: null,
      source_id: null,
      source: null,
      details: null,
    };
    change.add(books.entries, {
      ...{ id: newId("vtx"), voucher_id, campaign_id: null, type: "POINTS_ADDITION", amount: 1, balance: balance + 1 },
      ...{ total: balance + 1, currency: "USD", reason: `${day} ${name}`, created_at: isoOf(change.cause.instant) },
      ...nothing,
    });
  }
}

/** A project with a program and cards, in the order of their ids. */
async function aProject(members: number, fields: Record<string, unknown> = {}) {
  const project = await service.anotherProject(fields);
  const program = await aProgram(project);
  const cards: string[] = [];
  for (let i = 0; i < members; i += 1) cards.push((await aMember(project, program)).card.id);
  await runWorks(context, [createDispatcher(context, consumers, { project_ids: [project.id] }).work], clock.now());
  const reasons = async (voucher_id = cards[0]) =>
    (
      await context.db.many<{ reason: string }>(sql`
        select ledger_entries.reason from ledger_entries
         where ledger_entries.project_id = ${project.id} and ledger_entries.voucher_id = ${voucher_id}
         order by ledger_entries.id`)
    ).map(({ reason }) => reason);
  return { project, cards: cards.sort(), reasons };
}

async function runNights(project: { id: string }, steps: readonly NightStep[], on: Context = context): Promise<void> {
  while (await nightSchedule(steps).runDue(on, clock.now(), [project.id]));
}

const at = (text: string) => clock.set(text);
const silent = { ...context, log: { ...context.log, error() {}, warn() {} } as unknown as typeof context.log };

describe("a night", () => {
  test("begins at midnight where the project is, the first one after its first program", async () => {
    at("2026-03-02T10:00:00Z");
    const { project, cards, reasons } = await aProject(1, { timezone: "America/New_York" });
    const steps = [aStep("pending points", cards)];
    await runNights(project, steps);
    at("2026-03-03T04:59:59Z");
    await runNights(project, steps);
    expect(await reasons()).toEqual([]);
    at("2026-03-03T05:00:00Z");
    await runNights(project, steps);
    await runNights(project, steps);
    expect(await reasons()).toEqual(["2026-03-03 pending points"]);
  });

  test("takes its steps in their order, each through all cards, whatever order they are told in", async () => {
    at("2026-03-02T10:00:00Z");
    const { project, cards, reasons } = await aProject(3);
    at("2026-03-03T00:00:05Z");
    await runNights(project, [
      aStep("tiers by balance", cards),
      aStep("points that expire", cards),
      aStep("pending points", cards),
    ]);
    for (const card of cards) {
      expect(await reasons(card)).toEqual([
        "2026-03-03 pending points",
        "2026-03-03 points that expire",
        "2026-03-03 tiers by balance",
      ]);
    }
  });

  test("that was missed is done in its turn, and what it does is dated at its own midnight", async () => {
    at("2026-03-02T10:00:00Z");
    const { project, cards, reasons } = await aProject(1, { timezone: "Asia/Tokyo" });
    at("2026-03-05T20:00:00Z");
    await runNights(project, [aStep("pending points", cards), aStep("points that expire", cards)]);
    expect(await reasons()).toEqual(
      ["2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"].flatMap((day) => [
        `${day} pending points`,
        `${day} points that expire`,
      ]),
    );
    const dates = await context.db.many<{ created_at: number }>(sql`
      select distinct ledger_entries.created_at from ledger_entries
       where ledger_entries.project_id = ${project.id} order by ledger_entries.created_at`);
    expect(dates.map(({ created_at }) => isoOf(created_at))).toEqual([
      "2026-03-02T15:00:00.000Z",
      "2026-03-03T15:00:00.000Z",
      "2026-03-04T15:00:00.000Z",
      "2026-03-05T15:00:00.000Z",
    ]);
  });

  test("in which nothing is due is passed over, however many there are", async () => {
    at("2026-03-02T10:00:00Z");
    const { project, cards, reasons } = await aProject(1);
    let looks = 0;
    const step = aStep("points that expire", cards, "2031-01-01");
    const counted: NightStep = {
      ...step,
      findCards: (...asked) => {
        looks += 1;
        return step.findCards(...asked);
      },
    };
    at("2031-01-02T12:00:00Z");
    await runNights(project, [counted]);
    expect(await reasons()).toEqual(["2031-01-01 points that expire", "2031-01-02 points that expire"]);
    expect(looks).toBeLessThan(10);
  });

  test("is done once, whatever runs at once and wherever it is killed", async () => {
    at("2026-03-02T10:00:00Z");
    const { project, cards, reasons } = await aProject(6);
    let transactions = 0;
    const { db } = silent;
    const mortal: Context = {
      ...silent,
      db: {
        ...db,
        transaction: <Answer>(work: (tx: Tx) => Promise<Answer>) =>
          db.transaction(async (tx) => {
            const answer = await work(tx);
            if (transactions++ % 2 === 0) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
            return answer;
          }),
      },
    };
    const one_by_one = (step: NightStep): NightStep => ({
      ...step,
      findCards: (tx, night, after_id) => step.findCards(tx, night, after_id, 1),
    });
    const steps = [one_by_one(aStep("pending points", cards)), one_by_one(aStep("points that expire", cards))];
    at("2026-03-04T01:00:00Z");
    const walk = async () => {
      for (let tries = 0; tries < 20; tries += 1) await runNights(project, steps, mortal).catch(() => undefined);
    };
    await Promise.all([walk(), walk(), walk()]);
    await runNights(project, steps);
    expect(transactions).toBeGreaterThan(24);
    for (const card of cards) {
      expect(await reasons(card)).toEqual([
        "2026-03-03 pending points",
        "2026-03-03 points that expire",
        "2026-03-04 pending points",
        "2026-03-04 points that expire",
      ]);
    }
  });

  test("passes over a card that cannot be done, and holds up no other for it", async () => {
    at("2026-03-02T10:00:00Z");
    const { project, cards, reasons } = await aProject(5);
    const guilty = cards[2] as string;
    const failing = aStep("points that expire", cards, undefined, {
      async run(slice) {
        await onePoint(slice, "points that expire");
        if (slice.card_ids.includes(guilty) && slice.night.day === "2026-03-03") throw new Error("no");
      },
    });
    at("2026-03-03T01:00:00Z");
    await runNights(project, [failing], silent);
    at("2026-03-03T01:00:01Z");
    await runNights(project, [failing], silent);
    const lines = async () => Promise.all(cards.map(async (card) => (await reasons(card)).length));
    expect(await lines()).toEqual([1, 1, 0, 1, 1]);
    at("2026-03-04T01:00:00Z");
    await runNights(project, [failing], silent);
    expect(await lines()).toEqual([2, 2, 1, 2, 2]);
  });

  test("is begun by none in a project without a program", async () => {
    at("2026-03-02T10:00:00Z");
    const project = await service.anotherProject();
    await project.api.post(
      "/v1/campaigns",
      { name: "C", voucher: { discount: { type: "AMOUNT", amount_off: 1 } } },
      200,
    );
    await runWorks(context, [createDispatcher(context, consumers, { project_ids: [project.id] }).work], clock.now());
    at("2026-03-05T00:00:00Z");
    expect(await nightSchedule([]).runDue(context, clock.now(), [project.id])).toBe(false);
    const rows = await context.db.many(sql`
      select walks.state from walks where walks.project_id = ${project.id}`);
    expect(rows).toEqual([]);
  });

  test("is not begun anew where a project moves to a zone in which it is not midnight yet", async () => {
    at("2026-03-02T10:00:00Z");
    const { project, cards, reasons } = await aProject(1, { timezone: "Asia/Tokyo" });
    const steps = [aStep("pending points", cards)];
    await runNights(project, steps);
    await service.management.put(`/management/v1/projects/${project.id}`, { timezone: "America/New_York" }, 200);
    at("2026-03-02T16:00:00Z");
    await runNights(project, steps);
    expect(await reasons()).toEqual([]);
    at("2026-03-03T05:00:00Z");
    await runNights(project, steps);
    expect(await reasons()).toEqual(["2026-03-03 pending points"]);
  });
});
