import pg from "pg";
import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { startService } from "../../test/harness/service.js";
import { newRequestId } from "../platform/ids.js";
import { sql } from "../platform/sql.js";
import { appendEvents } from "./append.js";
import { createDispatcher, type DispatcherOptions, type EventConsumer } from "./dispatcher.js";
import type { StoredEvent } from "./event.js";

const service = await startService();
const { context, clock } = service;
const { db } = context;
const log = { ...context.log, error() {}, warn() {} } as unknown as typeof context.log;

// A consumer as they all are: a table of its own, unique on the event.
await db.run(sql`create table told (project_id text not null, event_id text not null, name text not null,
  primary key (project_id, event_id))`);
afterAll(async () => {
  const client = new pg.Client({ connectionString: inject("database_url") });
  await client.connect();
  await client.query("drop table told");
  await client.end();
});

const listener = (before: (events: readonly StoredEvent[]) => Promise<void> = async () => {}): EventConsumer => ({
  name: "listener",
  types: ["customer.created"],
  async take(tx, events) {
    await before(events);
    await tx.run(sql`
      insert into told (project_id, event_id, name)
      select * from unnest(${events.map((one) => one.project_id)}::text[], ${events.map((one) => one.id)}::text[],
                           ${events.map((one) => String(one.data.name))}::text[])`);
  },
});

/** A project of the test's own, where things happen and somebody is told of them. */
async function aProject() {
  const { id: project_id } = await service.anotherProject();
  const cause = () => ({
    project_id,
    request_id: newRequestId(),
    event_source: { channel: "API" as const },
    instant: clock.now(),
  });
  const eventsOf = (names: readonly string[]) =>
    names.map((name) => ({ type: "customer.created" as const, entity_id: "cust_1", data: { name } }));
  const options: DispatcherOptions = { project_ids: [project_id] };
  const namesIn = async (rows: Promise<{ name: string }[]>) => (await rows).map(({ name }) => name).sort();
  return {
    cause,
    eventsOf,
    options,
    happens: (...names: string[]) => db.transaction((tx) => appendEvents(tx, cause(), eventsOf(names))),
    told: () => namesIn(db.many(sql`select told.name from told where told.project_id = ${project_id}`)),
    waiting: () =>
      namesIn(
        db.many(sql`select events.data ->> 'name' as name from outbox
                      join events on events.project_id = outbox.project_id and events.id = outbox.event_id
                     where outbox.project_id = ${project_id}`),
      ),
  };
}

/** Everything that is there, in as many batches as it takes. */
async function dispatchAll(dispatcher: { dispatch(): Promise<number> }): Promise<void> {
  while ((await dispatcher.dispatch()) > 0);
}

describe("the dispatcher", () => {
  test("hands each event to each consumer, whole, and takes it off the outbox", async () => {
    const project = await aProject();
    const seen: StoredEvent[] = [];
    const other: EventConsumer = {
      name: "other",
      types: ["customer.created", "customer.updated"],
      take: async (_tx, events) => void seen.push(...events),
    };
    await project.happens("a", "b");
    await project.happens("c");
    const dispatcher = createDispatcher({ db, log }, [listener(), other], project.options);
    expect(await dispatcher.dispatch()).toBe(3);
    expect(await dispatcher.dispatch()).toBe(0);
    expect(await project.told()).toEqual(["a", "b", "c"]);
    expect(await project.waiting()).toEqual([]);
    expect(seen).toHaveLength(3);
    expect(seen[0]).toEqual({
      project_id: project.options.project_ids?.[0],
      id: expect.stringMatching(/^evcus_/),
      type: "customer.created",
      entity_id: "cust_1",
      customer_id: null,
      group_id: expect.stringMatching(/^v-/),
      event_source: { channel: "API" },
      data: { name: "a" },
      created_at: clock.now(),
    });
  });

  test.each([[[]], [[{ ...listener(), types: ["customer.deleted"] as const }]]])(
    "takes events off that nobody waits for, and tells nobody",
    async (consumers) => {
      const project = await aProject();
      await project.happens("a");
      let handed_over = 0;
      const options = { ...project.options, handed_over: () => (handed_over += 1) };
      expect(await createDispatcher({ db, log }, consumers, options).dispatch()).toBe(1);
      expect(await project.waiting()).toEqual([]);
      expect(await project.told()).toEqual([]);
      expect(handed_over).toBe(0);
    },
  );

  test("looks up what a version that wrote no types has left", async () => {
    const project = await aProject();
    await project.happens("a");
    const [project_id] = project.options.project_ids ?? [];
    await db.run(sql`update outbox set type = null where outbox.project_id = ${project_id}`);
    await dispatchAll(createDispatcher({ db, log }, [listener()], project.options));
    expect(await project.told()).toEqual(["a"]);
  });

  test("misses no event of a transaction that began first and committed last", async () => {
    const project = await aProject();
    const dispatcher = createDispatcher({ db, log }, [listener()], project.options);
    await db.transaction(async (early) => {
      await appendEvents(early, project.cause(), project.eventsOf(["early"]));
      clock.advance({ minutes: 1 });
      await project.happens("late");
      await dispatchAll(dispatcher);
      expect(await project.told()).toEqual(["late"]);
    });
    await dispatchAll(dispatcher);
    expect(await project.told()).toEqual(["early", "late"]);
  });

  test("loses nothing and doubles nothing when it dies after its consumers wrote", async () => {
    const project = await aProject();
    await project.happens("a", "b");
    const { take } = listener();
    let deaths = 0;
    const mortal: EventConsumer = {
      name: "mortal",
      types: ["customer.created"],
      async take(tx, events) {
        await take(tx, events);
        if (deaths++ < 2) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
      },
    };
    const dispatcher = createDispatcher({ db, log }, [mortal], project.options);
    expect(await dispatcher.dispatch()).toBe(2);
    expect(deaths).toBe(3);
    expect(await project.told()).toEqual(["a", "b"]);
    expect(await project.waiting()).toEqual([]);
  });

  test("passes over what another one holds, and takes it should that one die", async () => {
    const project = await aProject();
    await project.happens("a", "b");
    const other = new pg.Client({ connectionString: inject("database_url") });
    await other.connect();
    await other.query("begin");
    await other.query("delete from outbox where project_id = $1", [project.options.project_ids?.[0]]);
    const dispatcher = createDispatcher({ db, log }, [listener()], project.options);
    expect(await dispatcher.dispatch()).toBe(0);
    await other.end();
    await vi.waitFor(async () => expect(await dispatcher.dispatch()).toBe(2));
    expect(await project.told()).toEqual(["a", "b"]);
  });

  test("beside others like it hands over each event once", async () => {
    const project = await aProject();
    const names = Array.from({ length: 1200 }, (_, i) => `event ${i}`);
    for (let i = 0; i < names.length; i += 100) await project.happens(...names.slice(i, i + 100));
    const dispatchers = Array.from({ length: 3 }, () => createDispatcher({ db, log }, [listener()], project.options));
    await Promise.all(dispatchers.map(dispatchAll));
    await dispatchAll(dispatchers[0]!);
    expect(await project.told()).toEqual([...names].sort());
    expect(await project.waiting()).toEqual([]);
  });

  test("leaves an event that a consumer cannot take where it is, and hands over the others", async () => {
    const project = await aProject();
    const before = async (events: readonly StoredEvent[]) => {
      if (events.some(({ data }) => data.name === "bad")) throw new Error("cannot take it");
    };
    const dispatcher = createDispatcher({ db, log }, [listener(before)], project.options);
    await project.happens("a", "b", "bad", "c", "d");
    for (let tries = 0; tries < 8; tries += 1) await dispatcher.dispatch().catch(() => 0);
    expect(await project.told()).toEqual(["a", "b", "c", "d"]);
    expect(await project.waiting()).toEqual(["bad"]);
    // Another one, as after a restart, tries it again.
    await dispatchAll(createDispatcher({ db, log }, [listener()], project.options));
    expect(await project.told()).toEqual(["a", "b", "bad", "c", "d"]);
  });

  test("started, finds events by itself, and stops when told", async () => {
    const project = await aProject();
    const dispatcher = createDispatcher({ db, log }, [listener()], project.options);
    dispatcher.start();
    await project.happens("a");
    await vi.waitFor(async () => expect(await project.told()).toEqual(["a"]), 5000);
    await project.happens("b");
    dispatcher.nudge();
    await vi.waitFor(async () => expect(await project.told()).toEqual(["a", "b"]), 5000);
    await dispatcher.stop();
    await project.happens("c");
    expect(await project.waiting()).toEqual(["c"]);
  });
});
