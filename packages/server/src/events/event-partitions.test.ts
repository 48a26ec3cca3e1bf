import { describe, expect, test, vi } from "vitest";
import { aContextApart } from "../../test/harness/database.js";
import { maintainPartitions } from "../platform/db/partitions.js";
import { sql } from "../platform/db/sql.js";
import { newRequestId } from "../platform/ids.js";
import { runDue } from "../platform/jobs/loop.js";
import { scheduleWork } from "../platform/jobs/schedules.js";
import type { Consumer } from "./dispatch/consumer.js";
import { createDispatcher } from "./dispatch/dispatcher.js";
import { aCreation, happen } from "./event.fixtures.js";
import { prepareEvents, schedules } from "./event-partitions.js";

async function aService(options: Parameters<typeof aContextApart>[0] = {}) {
  const apart = await aContextApart(options);
  const { context, clock, db } = apart;
  const work = scheduleWork(context, schedules);
  return {
    ...apart,
    /** The schedules of a process that runs at this instant. */
    runs: () => runDue(context, [work], clock.now()),
    happens: (name: string) =>
      db.transaction((tx) =>
        happen(
          tx,
          { project_id: "proj", request_id: newRequestId(), event_source: { channel: "API" }, instant: clock.now() },
          [aCreation(name, { entity_id: name })],
        ),
      ),
    async partitions(table: string) {
      const rows = await db.many<{ name: string }>(sql`
        select child.relname as name from pg_inherits join pg_class as child on child.oid = pg_inherits.inhrelid
         where pg_inherits.inhparent = to_regclass(${table}) order by child.relname`);
      return rows.map(({ name }) => name);
    },
    async names() {
      const rows = await db.many<{ name: string }>(
        sql`select events.entity_id as name from events where events.project_id = 'proj' order by events.created_at, events.id`,
      );
      return rows.map(({ name }) => name);
    },
    async inDefault() {
      const { count } = await db.one<{ count: number }>(sql`select count(*) as count from events_default`);
      return count;
    },
  };
}

/** A consumer that notes what it was told. */
function noting() {
  const told: string[] = [];
  const consumer: Consumer = {
    name: "noting",
    names: ["customer.created"],
    when: "dispatch",
    async take(_tx, events) {
      told.push(...events.map(({ entity_id }) => entity_id));
      return undefined;
    },
  };
  return { told, consumer };
}

describe("a process that runs for a year", () => {
  test("has a partition for each month, nothing in the default one, and drops months by their age", async () => {
    const service = await aService({ now: "2026-03-02T10:00:00Z", events_days: 61 });
    const { told, consumer } = noting();
    const dispatcher = createDispatcher(service.context, [consumer]);
    await prepareEvents(service.context, service.clock.now());
    const days = 400;
    for (let day = 0; day < days; day += 2, service.clock.advance({ days: 2 })) {
      await service.runs();
      await service.happens(`day ${day}`);
      await dispatcher.dispatch();
      if (day % 28 === 0) expect(await service.inDefault()).toBe(0);
    }
    expect(service.errors).toEqual([]);
    expect(told).toHaveLength(days / 2);
    // 2027-04-04, the last run: a month is kept for 61 days after its end, and made three months ahead.
    const months = ["2027_02", "2027_03", "2027_04", "2027_05", "2027_06", "2027_07"];
    expect(await service.partitions("events")).toEqual([...months.map((month) => `events_${month}`), "events_default"]);
    expect((await service.names())[0]).toBe("day 336");
  }, 60_000);

  test("keeps a month until all were told what happened in it", async () => {
    const service = await aService({ now: "2026-03-02T10:00:00Z", events_days: 31 });
    await service.runs();
    await service.happens("untold");
    service.clock.advance({ days: 200 });
    await service.runs();
    expect(await service.partitions("events")).toContain("events_2026_03");
    const { told, consumer } = noting();
    await createDispatcher(service.context, [consumer]).dispatch();
    expect(told).toEqual(["untold"]);
    service.clock.advance({ hours: 6 });
    await service.runs();
    expect(await service.partitions("events")).not.toContain("events_2026_03");
  });

  test("and starts again after a year of silence", async () => {
    const service = await aService();
    await prepareEvents(service.context, service.clock.now());
    await service.happens("before");
    service.clock.advance({ days: 365 });
    await prepareEvents(service.context, service.clock.now());
    await service.happens("after");
    expect(await service.names()).toEqual(["before", "after"]);
    expect(await service.inDefault()).toBe(0);
    expect(service.errors).toEqual([]);
  });
});

describe("rows in the default partition", () => {
  test("of this month, of past ones and of long ago get partitions of their own, and none is lost or told twice", async () => {
    const service = await aService({ now: "2026-03-02T10:00:00Z" });
    await prepareEvents(service.context, service.clock.now());
    const expected: string[] = [];
    const happensAt = async (date: string) => {
      service.clock.set(`${date}T12:00:00Z`);
      await service.happens(date);
      expected.push(date);
    };
    // An older version ran on without making months; one event came from a clock that was wrong.
    for (const date of ["2020-05-05", "2026-03-10", "2026-06-30", "2026-07-01", "2026-09-15", "2026-11-20"])
      await happensAt(date);
    expect(await service.inDefault()).toBe(4);
    await prepareEvents(service.context, service.clock.now());
    expect(service.errors).toEqual([]);
    expect(await service.inDefault()).toBe(0);
    expect(await service.names()).toEqual(expected.sort());
    expect(await service.partitions("events")).toEqual([
      "events_2020_05",
      ...["03", "04", "05", "06"].map((month) => `events_2026_${month}`),
      "events_2026_07_2026_11",
      "events_2026_12",
      "events_2027_01",
      "events_2027_02",
      "events_default",
    ]);
    await service.happens("now");
    expect(await service.inDefault()).toBe(0);
    const { told, consumer } = noting();
    await createDispatcher(service.context, [consumer]).dispatch();
    expect(told.sort()).toEqual([...expected, "now"].sort());
  });

  test("get out of it while others write and dispatch", async () => {
    const service = await aService({ now: "2026-03-02T10:00:00Z", connections_max: 12 });
    const { told, consumer } = noting();
    const written: string[] = [];
    let is_over = false;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; !is_over; i += 1) {
        const name = `${writer} ${i}`;
        await service.happens(name);
        written.push(name);
      }
    });
    const dispatchers = Array.from({ length: 2 }, async () => {
      const dispatcher = createDispatcher(service.context, [consumer]);
      while (!is_over || (await dispatcher.dispatch()) > 0) await dispatcher.dispatch();
    });
    await new Promise((resume) => setTimeout(resume, 300));
    expect(await service.inDefault()).toBeGreaterThan(0);
    // Whoever comes while the table is too busy tries again, as the schedule does.
    const settled = async () => {
      await prepareEvents(service.context, service.clock.now());
      return (await service.inDefault()) === 0;
    };
    await vi.waitUntil(settled, { timeout: 15_000, interval: 50 });
    await new Promise((resume) => setTimeout(resume, 200));
    is_over = true;
    await Promise.all([...writers, ...dispatchers]);
    // What a writer committed last, the dispatchers may have looked past.
    const last = createDispatcher(service.context, [consumer]);
    while ((await last.dispatch()) > 0);
    expect(await service.inDefault()).toBe(0);
    expect(told.sort()).toEqual(written.sort());
    expect((await service.names()).sort()).toEqual(written);
  });
});

test("several processes may keep the partitions at once", async () => {
  const service = await aService({ now: "2026-03-02T10:00:00Z" });
  await service.happens("early");
  const tables = [{ table: "events", kept_days: 31, isNeeded: async () => false }];
  await Promise.all(Array.from({ length: 4 }, () => maintainPartitions(service.db, tables, service.clock.now())));
  expect(await service.partitions("events")).toHaveLength(5);
  expect(await service.names()).toEqual(["early"]);
});
