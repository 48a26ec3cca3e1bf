import { describe, expect, test } from "vitest";
import { aContextApart } from "../../../test/harness/database.js";
import type { Context } from "../../platform/context.js";
import { sql } from "../../platform/db/sql.js";
import { newRequestId } from "../../platform/ids.js";
import { runDue } from "../../platform/jobs/loop.js";
import { aCreation, happen, nameIn } from "../event.fixtures.js";
import type { Consumer, Left } from "./consumer.js";
import { createDispatcher } from "./dispatcher.js";
import { inbox_tries_max, inboxWork } from "./inbox.js";

type Taken = { name: string; project_id: string };

/** A consumer that notes the names of what it took; `before` may throw or leave some. */
function noting(before: (names: string[]) => Promise<undefined | Left[]> = async () => undefined) {
  const taken: Taken[] = [];
  const batches: string[][] = [];
  const consumer: Consumer = {
    name: "noting",
    names: ["customer.created"],
    when: "inbox",
    events_max: 8,
    async take(_tx, events) {
      const names = events.map(nameIn);
      batches.push(names);
      const left = await before(names);
      const left_ids = new Set(left?.map(({ event_id }) => event_id));
      const done = events.filter(({ id }) => !left_ids.has(id));
      taken.push(...done.map((event) => ({ name: nameIn(event), project_id: event.project_id })));
      return left;
    },
  };
  return { consumer, taken, batches, names: () => taken.map(({ name }) => name).sort() };
}

async function anInbox() {
  const apart = await aContextApart();
  const { context, clock, db } = apart;
  return {
    ...apart,
    /** What happens is in the inbox of the consumer afterwards. */
    async happens(consumer: Consumer, names: readonly string[], project_id = "proj_a") {
      const cause = { project_id, request_id: newRequestId(), event_source: { channel: "API" as const } };
      const events = names.map((name) => aCreation(name, { entity_id: name, customer_id: name }));
      await db.transaction((tx) => happen(tx, { ...cause, instant: clock.now() }, events));
      const dispatcher = createDispatcher(context, [consumer]);
      while ((await dispatcher.dispatch()) > 0);
    },
    waiting: () =>
      db.many<{ name: string; tries: number; due_at: number | null }>(
        sql`select events.entity_id as name, inbox.tries, inbox.due_at from inbox
              join events on events.project_id = inbox.project_id and events.id = inbox.event_id
             order by events.id`,
      ),
    runDue: (consumer: Consumer, one: Context = context) => runDue(one, [inboxWork(one, consumer)], clock.now()),
  };
}

describe("a consumer with an inbox", () => {
  test("is given each event once, by however many workers", async () => {
    const inbox = await anInbox();
    const { consumer, names } = noting();
    await inbox.happens(consumer, ["a", "b", "c"]);
    await Promise.all([inbox.runDue(consumer), inbox.runDue(consumer), inbox.runDue(consumer)]);
    await inbox.runDue(consumer);
    expect(names()).toEqual(["a", "b", "c"]);
    expect(await inbox.waiting()).toEqual([]);
  });

  test("tries an event again that it cannot take, later each time and not for ever; no other waits for it", async () => {
    const inbox = await anInbox();
    let tries = 0;
    const { consumer, names } = noting(async (told) => {
      if (!told.includes("bad")) return undefined;
      if (told.length === 1) tries += 1;
      throw new Error("cannot take it");
    });
    await inbox.happens(consumer, ["a", "b", "c", "bad", "d", "e"]);
    await inbox.runDue(consumer);
    expect(names()).toEqual(["a", "b", "c", "d", "e"]);
    const first = inbox.clock.now();
    expect(await inbox.waiting()).toEqual([{ name: "bad", tries: 1, due_at: first + 2_000 }]);
    await inbox.runDue(consumer);
    expect(tries).toBe(1);
    for (let hour = 0; hour < 40; hour += 1, inbox.clock.advance({ hours: 1 })) await inbox.runDue(consumer);
    expect(tries).toBe(inbox_tries_max);
    expect(await inbox.waiting()).toEqual([{ name: "bad", tries: inbox_tries_max, due_at: null }]);
    expect(inbox.errors).toHaveLength(inbox_tries_max);
    // Whoever has mended it sets it due again.
    const mended = noting();
    await inbox.db.run(sql`update inbox set due_at = inbox.created_at where inbox.project_id = 'proj_a'`);
    await inbox.runDue(mended.consumer);
    expect(mended.names()).toEqual(["bad"]);
  });

  test("leaves events for another turn, after what they need first", async () => {
    const inbox = await anInbox();
    const prepared: string[] = [];
    const { consumer, names } = noting();
    const needy: Consumer = {
      ...consumer,
      async take(tx, events, turn) {
        const left = events.filter(({ id }) => !turn.ready.has(id));
        await consumer.take(
          tx,
          events.filter((event) => !left.includes(event)),
          turn,
        );
        return left.map((event) => ({ event_id: event.id, first: async () => void prepared.push(nameIn(event)) }));
      },
    };
    await inbox.happens(needy, ["a", "b"]);
    await inbox.runDue(needy);
    expect(prepared.sort()).toEqual(["a", "b"]);
    expect(names()).toEqual(["a", "b"]);
    expect(await inbox.waiting()).toEqual([]);
  });

  test("remembers what was done for an event that has to wait for another", async () => {
    const inbox = await anInbox();
    const prepared: string[] = [];
    const { consumer, names } = noting();
    // As two of one card: each waits until all that are there are prepared, and one of them always comes later.
    const needy: Consumer = {
      ...consumer,
      async take(tx, events, turn) {
        const unready = events.filter(({ id }) => !turn.ready.has(id));
        if (unready.length === 0) return consumer.take(tx, events, turn);
        const [next] = unready;
        return events.map((event) => ({
          event_id: event.id,
          ...(event === next && { first: async () => void prepared.push(nameIn(event)) }),
        }));
      },
    };
    await inbox.happens(needy, ["a", "b", "c"]);
    await inbox.runDue(needy);
    expect(prepared.sort()).toEqual(["a", "b", "c"]);
    expect(names()).toEqual(["a", "b", "c"]);
  });

  test("serves projects in turns: a rush of one is no more of a batch than the others", async () => {
    const inbox = await anInbox();
    const { consumer, taken } = noting();
    const rush = Array.from({ length: 40 }, (_, i) => `rush ${i}`);
    await inbox.happens(consumer, rush, "proj_a");
    await inbox.happens(consumer, ["b1", "b2"], "proj_b");
    await inbox.happens(consumer, ["c1", "c2"], "proj_c");
    await inbox.runDue(consumer);
    const first = taken.slice(0, 10).map(({ project_id }) => project_id);
    expect(new Set(first)).toEqual(new Set(["proj_a", "proj_b", "proj_c"]));
    expect(taken).toHaveLength(44);
  });

  test("drops what went with its customer", async () => {
    const inbox = await anInbox();
    const { consumer, names } = noting();
    await inbox.happens(consumer, ["a", "gone"]);
    await inbox.db.run(sql`delete from events where events.project_id = 'proj_a' and events.customer_id = 'gone'`);
    await inbox.runDue(consumer);
    expect(names()).toEqual(["a"]);
    expect(await inbox.db.many(sql`select inbox.event_id from inbox where inbox.project_id = 'proj_a'`)).toEqual([]);
  });
});
