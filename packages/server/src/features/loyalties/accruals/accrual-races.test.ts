import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startService } from "../../../../test/harness/service.js";
import type { LedgerEntry } from "../../../books/index.js";
import { appendEntries } from "../../../books/ledger.store.js";
import { happen } from "../../../events/event.fixtures.js";
import { createDispatcher, inboxWork } from "../../../events/index.js";
import type { Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { newId, newRequestId } from "../../../platform/ids.js";
import { runDue as runWorks } from "../../../platform/jobs/loop.js";
import { createSecondPhase } from "../../../second-phase.js";
import { customEvent } from "../../custom-events/custom-event.events.js";
import { aProgramThatPays, booksOf, pointsOn } from "../loyalty.fixtures.js";
import { consumers } from "./index.js";

const service = await startService();
const { api, clock, context, project, runDue } = service;
const { db } = context;
const { entriesOf, tasksLeft } = booksOf(service);
const project_ids = [project.id];
const dispatcherOf = () => createDispatcher(context, consumers, { project_ids });
/** A worker that pays what waits in the inbox. */
const workerOf = (one: typeof context) => consumers.map((consumer) => inboxWork(one, consumer, { project_ids }));

const send = (event: { name: string }, source_id: string) =>
  api.post("/v1/events", { event: event.name, customer: { source_id } }, 200);

describe("points, whatever runs at once", () => {
  test("several workers pay a card each event once, and its entries sum to its balance", async () => {
    const { card, event, source_id } = await aProgramThatPays(service);
    await Promise.all(Array.from({ length: 60 }, () => send(event, source_id)));
    const dispatchers = Array.from({ length: 3 }, dispatcherOf);
    const workers = Array.from({ length: 3 }, () => workerOf(context));
    await Promise.all([
      ...dispatchers.map(async (one) => {
        while ((await one.dispatch()) > 0);
      }),
      ...workers.map((one) => runWorks(context, one, clock.now())),
    ]);
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 600, balance: 600 });
    const entries = await entriesOf(card.id);
    expect(entries).toHaveLength(60);
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(600);
    expect(entries.map(({ balance }) => balance)).toEqual(entries.map((_, i) => 10 * (i + 1)));
  });

  test("two events whose transactions commit in the reverse order of their ids are both paid", async () => {
    const { card, event } = await aProgramThatPays(service);
    const sent = { type: event.name, event_schema: event, loyalty: null, referral: null, metadata: {} };
    const happens = (tx: Tx) =>
      happen(
        tx,
        { project_id: project.id, request_id: newRequestId(), event_source: { channel: "API" }, instant: clock.now() },
        [customEvent(card.holder_id, { ...sent, id: newId("event"), customer_id: card.holder_id })],
      );
    await db.transaction(async (early) => {
      await happens(early);
      clock.advance({ minutes: 1 });
      await db.transaction(happens);
      await runDue();
      expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
    });
    await runDue();
    expect(await pointsOn(service, card)).toEqual({ points: 20, balance: 20 });
  });

  test("a worker that dies before it commits has paid nothing, and the next one pays once", async () => {
    const { card, event, source_id } = await aProgramThatPays(service);
    await send(event, source_id);
    let deaths = 0;
    const mortal = {
      ...context,
      db: {
        ...db,
        transaction: <Answer>(work: (tx: Tx) => Promise<Answer>) =>
          db.transaction(async (tx) => {
            const answer = await work(tx);
            if (deaths++ < 2) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
            return answer;
          }),
      },
      log: { ...context.log, warn() {} } as unknown as typeof context.log,
    };
    await dispatcherOf().dispatch();
    await runWorks(context, workerOf(mortal), clock.now());
    expect(deaths).toBeGreaterThan(2);
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
    expect(await entriesOf(card.id)).toHaveLength(1);
  });

  test("an entry for an event, a rule and a card that are in the books already is refused by the books", async () => {
    const { card, event, source_id } = await aProgramThatPays(service);
    await send(event, source_id);
    await runDue();
    const [paid] = await db.many<LedgerEntry>(sql`
      select ledger_entries.* from ledger_entries
       where ledger_entries.project_id = ${project.id} and ledger_entries.voucher_id = ${card.id}`);
    const again = { ...(paid as LedgerEntry), id: newId("vtx"), created_at: new Date(clock.now()).toISOString() };
    await expect(db.transaction(async (tx) => tx.send(appendEntries(project.id, [again])))).rejects.toMatchObject({
      constraint: "ledger_entries_earned_once",
    });
    expect(await pointsOn(service, card)).toEqual({ points: 10, balance: 10 });
  });

  test("an event that cannot be paid stays where it is, and holds up no other", async () => {
    const { card, event, source_id } = await aProgramThatPays(service);
    const bad = await aProgramThatPays(service);
    await send(bad.event, bad.source_id);
    for (let i = 0; i < 4; i += 1) await send(event, source_id);
    // A card without a balance cannot be: whatever made it so, the others must not wait for it.
    const losing = sql`
      delete from card_balances
       where card_balances.project_id = ${project.id} and card_balances.voucher_id = ${bad.card.id}`;
    await db.run(losing);
    const quiet = { ...context, log: { ...context.log, error() {} } as unknown as typeof context.log };
    await dispatcherOf().dispatch();
    await runWorks(context, workerOf(quiet), clock.now());
    expect(await pointsOn(service, card)).toEqual({ points: 40, balance: 40 });
    expect(await tasksLeft()).toBe(1);
    await db.run(sql`
      insert into card_balances (project_id, voucher_id, opening, added, balance)
      values (${project.id}, ${bad.card.id}, 0, 0, 0)`);
    clock.advance({ minutes: 1 });
    await runDue();
    expect(await pointsOn(service, bad.card)).toEqual({ points: 10, balance: 10 });
  });

  test("the points arrive within two seconds, by themselves", async () => {
    const { card, event, source_id } = await aProgramThatPays(service);
    const loop = createSecondPhase(context, { project_ids });
    loop.start();
    onTestFinished(() => loop.stop());
    await send(event, source_id);
    await vi.waitFor(async () => expect((await pointsOn(service, card)).balance).toBe(10), 20_000);
  });
});
