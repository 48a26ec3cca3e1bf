import { describe, expect, test } from "vitest";
import { by_the_clock } from "../../../test/harness/by-the-clock.js";
import { aContextApart } from "../../../test/harness/database.js";
import { type Database, openDatabase } from "../db/database.js";
import { createLoop, runDue } from "./loop.js";
import { every, type Schedule, schedule_lease_ms, scheduleWork } from "./schedules.js";

/** A schedule that is due each hour and notes when it ran. */
function hourly(name: string, run: (instant: number) => Promise<boolean> = async () => false) {
  const runs: string[] = [];
  const schedule: Schedule = {
    name,
    of: "installation",
    next: every({ hours: 1 }),
    async runDue(_context, instant) {
      runs.push(new Date(instant).toISOString().slice(11, 16));
      return run(instant);
    },
  };
  return { schedule, runs };
}

describe("a schedule", () => {
  test("runs at once when it never did, then when it is due, and catches up with one run", async () => {
    const { context, clock } = await aContextApart();
    const { schedule, runs } = hourly("hourly");
    const work = scheduleWork(context, [schedule]);
    const pass = async (minutes: number) => {
      clock.advance({ minutes });
      await runDue(context, [work], clock.now());
    };
    for (const minutes of [0, 30, 30, 59, 1, 600, 0]) await pass(minutes);
    expect(runs).toEqual(["10:00", "11:00", "12:00", "22:00"]);
  });

  test("is run by one of several processes", async () => {
    const { context, clock, url } = await aContextApart();
    const { schedule, runs } = hourly("hourly", async () => {
      await new Promise((resume) => setTimeout(resume, 20));
      return false;
    });
    const works = Array.from({ length: 4 }, () => {
      const db = openDatabase({ url, log: context.log, connections_max: 1, prepared: true });
      return { db, work: scheduleWork({ ...context, db }, [schedule]) };
    });
    for (let hour = 0; hour < 5; hour += 1, clock.advance({ hours: 1 }))
      await Promise.all(works.map(({ work }) => runDue(context, [work], clock.now())));
    await Promise.all(works.map(({ db }) => db.close()));
    expect(runs).toEqual(["10:00", "11:00", "12:00", "13:00", "14:00"]);
  });

  test("that has more to do takes turns with the others", async () => {
    const { context, clock } = await aContextApart();
    const order: string[] = [];
    let parts = 4;
    const long = hourly("long", async () => {
      order.push("long");
      parts -= 1;
      return parts > 0;
    });
    const short = hourly("short", async () => {
      order.push("short");
      return false;
    });
    await runDue(context, [scheduleWork(context, [long.schedule, short.schedule])], clock.now());
    expect(order.toSorted()).toEqual(["long", "long", "long", "long", "short"]);
    expect(order.indexOf("short")).toBeLessThan(2);
  });

  test("that fails is told in the log, tried again later each time, and delays no other", async () => {
    const { context, clock, errors } = await aContextApart();
    const failing = hourly("failing", async () => Promise.reject(new Error("no")));
    const sound = hourly("sound");
    const work = scheduleWork(context, [failing.schedule, sound.schedule]);
    for (let minute = 0; minute < 60; minute += 1, clock.advance({ minutes: 1 }))
      await runDue(context, [work], clock.now());
    expect(sound.runs).toEqual(["10:00"]);
    expect(failing.runs.length).toBeGreaterThan(5);
    expect(failing.runs.length).toBeLessThan(12);
    expect(errors).toHaveLength(failing.runs.length);
    clock.advance({ hours: 2 });
    await runDue(context, [work], clock.now());
    expect(sound.runs).toHaveLength(2);
  });

  test("whose process died is taken over when its lease ends", async () => {
    const { context, clock } = await aContextApart();
    let begun = () => {};
    const reached = new Promise<void>((resume) => (begun = resume));
    const dying = hourly("hourly", async () => {
      begun();
      return new Promise<boolean>(() => {});
    });
    void scheduleWork(context, [dying.schedule]).step(clock.now());
    await reached;
    const next = hourly("hourly");
    const work = scheduleWork(context, [next.schedule]);
    clock.advance({ ms: schedule_lease_ms - 1 });
    expect(await work.step(clock.now())).toBe("nothing");
    clock.advance({ ms: 1 });
    expect(await work.step(clock.now())).toBe("more");
    expect(next.runs).toHaveLength(1);
  });
});

describe("the loop", () => {
  test("asks for all work at once, once a second while there is none", by_the_clock, async () => {
    const { context } = await aContextApart();
    let looks = 0;
    const one: Database["one"] = (statement) => {
      looks += 1;
      return context.db.one(statement);
    };
    const loop = createLoop({ ...context, db: { ...context.db, one } }, [
      scheduleWork(context, [hourly("a").schedule]),
      scheduleWork(context, [hourly("b").schedule]),
    ]);
    loop.start();
    // The schedules ran at the start; after five seconds without work the pauses are long.
    await new Promise((resume) => setTimeout(resume, 6_000));
    expect(looks).toBeGreaterThan(15);
    looks = 0;
    await new Promise((resume) => setTimeout(resume, 3_000));
    await loop.stop();
    expect(looks).toBeLessThanOrEqual(3);
    expect(looks).toBeGreaterThan(0);
  });

  test("lets a failing work rest, and the others go on", async () => {
    const { context, errors } = await aContextApart();
    const sound = hourly("sound");
    const broken = { ...scheduleWork(context, []), name: "broken", bell: { name: "broken", pause_ms: 0 } };
    let tries = 0;
    const step = async () => Promise.reject(new Error(`try ${++tries}`));
    const loop = createLoop(context, [{ ...broken, step }, scheduleWork(context, [sound.schedule])]);
    loop.start();
    for (let i = 0; i < 30; i += 1) {
      context.bell.ring("broken");
      await new Promise((resume) => setTimeout(resume, 20));
    }
    await loop.stop();
    expect(tries).toBe(1);
    expect(errors).toHaveLength(1);
    expect(sound.runs).toEqual(["10:00"]);
  });

  test("lets work that took long rest as long as it may, and forgets no ring meanwhile", by_the_clock, async () => {
    const { context } = await aContextApart();
    const looks: number[] = [];
    const step = async () => {
      looks.push(performance.now());
      await new Promise((resume) => setTimeout(resume, 50));
      return "some" as const;
    };
    const bell = { name: "long", pause_ms: 10, pause_ms_max: 300 };
    const loop = createLoop(context, [{ ...scheduleWork(context, []), name: "long", bell, step }]);
    loop.start();
    const ring = async (times: number) => {
      for (let i = 0; i < times; i += 1, await new Promise((resume) => setTimeout(resume, 20)))
        context.bell.ring("long");
    };
    await ring(40);
    await new Promise((resume) => setTimeout(resume, 500));
    const pauses = looks.slice(1).map((at, i) => at - (looks[i] as number));
    await loop.stop();
    expect(looks.length).toBeGreaterThan(2);
    for (const pause of pauses) expect(pause).toBeGreaterThan(290);
    // The last ring came in the midst of a rest.
    expect(performance.now() - (looks.at(-1) as number)).toBeLessThan(450);
  });
});
