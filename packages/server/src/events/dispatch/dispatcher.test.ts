import pg from "pg";
import { afterAll, describe, expect, inject, test, vi } from "vitest";
import { startService } from "../../../test/harness/service.js";
import { sql } from "../../platform/db/sql.js";
import { newRequestId } from "../../platform/ids.js";
import { createLoop, runDue } from "../../platform/jobs/loop.js";
import { aCreation, happen, nameIn, waitingIn } from "../event.fixtures.js";
import { parcel_max } from "../outbox.store.js";
import type { ToldEvent } from "../twins.js";
import type { Consumer } from "./consumer.js";
import { createDispatcher, type DispatcherOptions } from "./dispatcher.js";
import { inboxWork } from "./inbox.js";

const service = await startService();
const { context, clock } = service;
const { db } = context;
const quiet = { ...context, log: { ...context.log, error() {}, warn() {} } as unknown as typeof context.log };

// A consumer as they all are: a table of its own, unique on the event.
// Apart from the product's: other tests look at all of those.
await db.run(sql`create schema beside`);
await db.run(sql`create table beside.told (project_id text not null, event_id text not null, name text not null,
  primary key (project_id, event_id))`);
afterAll(async () => {
  const client = new pg.Client({ connectionString: inject("database_url") });
  await client.connect();
  await client.query("drop schema beside cascade");
  await client.end();
});

const listener = (before: (events: readonly ToldEvent[]) => Promise<void> = async () => {}): Consumer => ({
  name: "listener",
  names: ["customer.created"],
  when: "dispatch",
  async take(tx, events) {
    await before(events);
    await tx.run(sql`
      insert into beside.told (project_id, event_id, name)
      select * from unnest(${events.map((one) => one.project_id)}::text[], ${events.map((one) => one.id)}::text[],
                           ${events.map(nameIn)}::text[])`);
    return undefined;
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
  const eventsOf = (names: readonly string[]) => names.map((name) => aCreation(name));
  const options: DispatcherOptions = { project_ids: [project_id] };
  const namesIn = async (rows: Promise<{ name: string }[]>) => (await rows).map(({ name }) => name).sort();
  return {
    cause,
    eventsOf,
    options,
    happens: (...names: string[]) => db.transaction((tx) => happen(tx, cause(), eventsOf(names))),
    told: () => namesIn(db.many(sql`select told.name from beside.told where told.project_id = ${project_id}`)),
    waiting: () => namesIn(waitingIn(db, project_id)),
  };
}

/** Everything that is there, in as many batches as it takes. */
async function dispatchAll(dispatcher: { dispatch(): Promise<number> }): Promise<void> {
  while ((await dispatcher.dispatch()) > 0);
}

describe("the dispatcher", () => {
  test("reads for a consumer only what may be told to it, and that once somebody may be", async () => {
    const project = await aProject();
    const seen: string[] = [];
    const particular: Consumer = {
      ...listener(async (events) => void seen.push(...events.map(nameIn))),
      is_told: sql`exists (select from beside.told where told.project_id = gone.project_id and told.name = 'asks')`,
    };
    const { dispatch } = createDispatcher(context, [particular], project.options);
    await project.happens("unheard");
    expect(await dispatch()).toBe(1);
    await db.run(
      sql`insert into beside.told (project_id, event_id, name) values (${project.cause().project_id}, '', 'asks')`,
    );
    await project.happens("heard");
    expect(await dispatch()).toBe(1);
    expect([seen, await project.waiting()]).toEqual([["heard"], []]);
  });

  test("hands a consumer nothing that only others may be told of, now or in its inbox", async () => {
    const project = await aProject();
    const inbox = { ...listener(), name: "particular", when: "inbox", is_told: sql`false` } as const;
    const seen: string[] = [];
    const at_once = { ...listener(async (events) => void seen.push(...events.map(nameIn))), is_told: sql`false` };
    const { dispatch } = createDispatcher(quiet, [inbox, at_once, { ...listener(), name: "all" }], project.options);
    await project.happens("for all");
    expect(await dispatch()).toBe(1);
    expect(await project.told()).toEqual(["for all"]);
    const [project_id] = project.options.project_ids ?? [];
    const left = await db.many(sql`select from inbox where inbox.project_id = ${project_id ?? ""}`);
    expect([seen, left]).toEqual([[], []]);
  });

  test("hands each event to each consumer, whole, and takes it off the outbox", async () => {
    const project = await aProject();
    const seen: ToldEvent[] = [];
    const other: Consumer = {
      name: "other",
      names: ["customer.created", "customer.updated"],
      when: "dispatch",
      async take(_tx, events) {
        seen.push(...events);
        return undefined;
      },
    };
    await project.happens("a", "b");
    await project.happens("c");
    const dispatcher = createDispatcher(quiet, [listener(), other], project.options);
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
      data: { customer: { name: "a" } },
      created_at: clock.now(),
    });
  });

  test.each([[[]], [[{ ...listener(), names: ["customer.deleted"] as const }]]])(
    "takes events off that nobody waits for, and tells nobody",
    async (consumers) => {
      const project = await aProject();
      await project.happens("a");
      let rung = 0;
      const silence = context.bell.onRing("inbox", () => (rung += 1));
      expect(await createDispatcher(quiet, consumers, project.options).dispatch()).toBe(1);
      expect(await project.waiting()).toEqual([]);
      expect(await project.told()).toEqual([]);
      expect(rung).toBe(0);
      silence();
    },
  );

  test("takes a parcel that is too large for it in two, and what is left of it next", async () => {
    const project = await aProject();
    const names = Array.from({ length: 2 * parcel_max + 5 }, (_, i) => `event ${String(i).padStart(2, "0")}`);
    let is_ill = true;
    const ill = listener(async () => {
      if (is_ill) throw new Error("cannot take them");
    });
    const { dispatch } = createDispatcher(quiet, [ill], project.options);
    await project.happens(...names);
    await expect(dispatch()).rejects.toThrow("listener");
    is_ill = false;
    const half = Math.floor(names.length / 2);
    expect(await dispatch()).toBe(half);
    expect((await project.told()).length).toBe(half);
    expect((await project.waiting()).length).toBe(names.length - half);
    expect(await dispatch()).toBe(names.length - half);
    expect(await project.told()).toEqual(names);
    expect(await project.waiting()).toEqual([]);
  });

  test("misses no event of a transaction that began first and committed last", async () => {
    const project = await aProject();
    const dispatcher = createDispatcher(quiet, [listener()], project.options);
    await db.transaction(async (early) => {
      await happen(early, project.cause(), project.eventsOf(["early"]));
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
    const mortal: Consumer = {
      name: "mortal",
      names: ["customer.created"],
      when: "dispatch",
      async take(tx, events, turn) {
        await take(tx, events, turn);
        if (deaths++ < 2) await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`);
        return undefined;
      },
    };
    const dispatcher = createDispatcher(quiet, [mortal], project.options);
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
    await other.query("delete from outbox_parcels where project_id = $1", [project.options.project_ids?.[0]]);
    const dispatcher = createDispatcher(quiet, [listener()], project.options);
    expect(await dispatcher.dispatch()).toBe(0);
    await other.end();
    await vi.waitFor(async () => expect(await dispatcher.dispatch()).toBe(2), 20_000);
    expect(await project.told()).toEqual(["a", "b"]);
  });

  test("beside others like it hands over each event once", async () => {
    const project = await aProject();
    const names = Array.from({ length: 1200 }, (_, i) => `event ${i}`);
    for (let i = 0; i < names.length; i += 100) await project.happens(...names.slice(i, i + 100));
    const dispatchers = Array.from({ length: 3 }, () => createDispatcher(quiet, [listener()], project.options));
    await Promise.all(dispatchers.map(dispatchAll));
    await dispatchAll(dispatchers[0]!);
    expect(await project.told()).toEqual([...names].sort());
    expect(await project.waiting()).toEqual([]);
  });

  test("hands on an event that a consumer cannot take to its inbox, and the others to everyone", async () => {
    const project = await aProject();
    let is_ill = true;
    const ill = listener(async (events) => {
      if (is_ill && events.map(nameIn).includes("bad")) throw new Error("cannot take it");
    });
    const seen: unknown[] = [];
    const other: Consumer = {
      ...listener(),
      name: "other",
      async take(_tx, events) {
        seen.push(...events.map(nameIn));
        return undefined;
      },
    };
    const dispatcher = createDispatcher(quiet, [ill, other], project.options);
    await project.happens("a", "b", "bad", "c", "d");
    for (let tries = 0; tries < 8; tries += 1) await dispatcher.dispatch().catch(() => 0);
    expect(await project.told()).toEqual(["a", "b", "c", "d"]);
    expect(await project.waiting()).toEqual([]);
    expect(seen.sort()).toEqual(["a", "b", "bad", "c", "d"]);
    const inbox = inboxWork(quiet, ill, project.options);
    await runDue(quiet, [inbox], clock.now());
    expect(await project.told()).toEqual(["a", "b", "c", "d"]);
    is_ill = false;
    await runDue(quiet, [inbox], clock.now() + 60_000);
    expect(await project.told()).toEqual(["a", "b", "bad", "c", "d"]);
  });

  test("holds no more than 4 MiB of events at once, one alone however large it is, and comes back for the rest at once", async () => {
    const project = await aProject();
    const sizes: number[] = [];
    const weigh = async (events: readonly ToldEvent[]) => void sizes.push(JSON.stringify(events).length);
    const dispatcher = createDispatcher(quiet, [listener(weigh)], project.options);
    const small = Array.from({ length: 20 }, (_, i) => `small ${i}`);
    const large = Array.from({ length: 8 }, (_, i) => `large ${i} `.padEnd(2 ** 20, "x"));
    const larger = "y".repeat(6 * 2 ** 20);
    await project.happens(...small);
    expect(await dispatcher.dispatch()).toBe(small.length);
    await project.happens(...large, larger);
    await runDue(quiet, [dispatcher.work], clock.now());
    expect((await project.told()).map((name) => name.length).sort()).toEqual(
      [...small, ...large, larger].map((name) => name.length).sort(),
    );
    expect(await project.waiting()).toEqual([]);
    const [, ...of_large] = sizes;
    expect(of_large.length).toBeGreaterThanOrEqual(3);
    expect(of_large.filter((size) => size > 5 * 2 ** 20)).toHaveLength(1);
  });

  test("on the loop finds events by itself, sooner when the bell rings, and stops when told", async () => {
    const project = await aProject();
    const dispatcher = createDispatcher(quiet, [listener()], project.options);
    const loop = createLoop(quiet, [dispatcher.work]);
    loop.start();
    await project.happens("a");
    await vi.waitFor(async () => expect(await project.told()).toEqual(["a"]), 20_000);
    await project.happens("b");
    context.bell.ring("outbox");
    await vi.waitFor(async () => expect(await project.told()).toEqual(["a", "b"]), 20_000);
    await loop.stop();
    await project.happens("c");
    context.bell.ring("outbox");
    expect(await project.waiting()).toEqual(["c"]);
  });
});
