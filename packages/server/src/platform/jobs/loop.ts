import type { Instant } from "../clock.js";
import type { Context } from "../context.js";
import { joined, type Sql, sql } from "../db/sql.js";

/** `nothing` was there to do; `some` was done, and no more is known of; `more` waits and can be done at once. */
export type Progress = "nothing" | "some" | "more";

interface WorkBell {
  name: string;
  /** Rings within the pause are one, so that a rush costs few looks. */
  pause_ms: number;
  /** Where the last look took long the pause is up to so long, and looking a tenth of the time; left out it is no longer. */
  pause_ms_max?: number;
}

/** How many times as long as a look took the pause behind it is, as far as it may be. */
const pause_to_work = 10;

/** Something that waits for its time in the database, and how it is done. */
export interface Work {
  name: string;
  /** The bell that is rung when there may be some. */
  bell?: WorkBell;
  /** Whether anything is due: one boolean expression, cheap when nothing is. It is asked together with all others. */
  due(instant: Instant): Sql;
  /** Does one bounded piece. What it throws is logged, and this work alone rests for a while. */
  step(instant: Instant): Promise<Progress>;
  /** Ends what steps have begun and left under way; nothing is asked of it any more. */
  stop?(): Promise<void>;
}

/** Makes a work of one process. A feature whose work is neither a consumer's nor a job's exports such. */
export type MakeWork = (context: Context, options: WorkOptions) => Work;

interface WorkOptions {
  /** Serves these projects alone: for tests, which share a database. */
  project_ids?: readonly string[];
}

/** Looks for work and does it, until it is stopped. */
export interface Loop {
  start(): void;
  /** Begins nothing new; resolves when the pieces under way have ended. */
  stop(): Promise<void>;
}

/** Between two looks: while there was work in the last seconds, and otherwise. */
const lively_pause_ms = 200;
const idle_pause_ms = 1_000;
const lively_ms = 5_000;
const failure_pause_ms_max = 30_000;

/** What is done of one work, a piece after the other; works do not wait for each other. */
function createLane({ name, step, bell }: Work, { clock, log }: Pick<Context, "clock" | "log">, worked: () => void) {
  let running: Promise<void> | undefined;
  let is_stopping = false;
  let again = false;
  let failures = 0;
  let resting_until = 0;

  async function run(): Promise<void> {
    const begun = performance.now();
    try {
      do {
        again = false;
        const progress = await step(clock.now());
        failures = 0;
        if (progress !== "nothing") worked();
        if (progress === "more") again = true;
      } while (again && !is_stopping);
      const ended = performance.now();
      resting_until = ended + Math.min(bell?.pause_ms_max ?? 0, (ended - begun) * pause_to_work);
    } catch (err) {
      log.error({ work: name, err }, "work of the second phase failed");
      resting_until = performance.now() + Math.min(failure_pause_ms_max, 1_000 * 2 ** failures);
      failures += 1;
    } finally {
      running = undefined;
    }
  }

  return {
    wake(): void {
      again = true;
      // Under a rush with the database away, rings would make this spin. Who rings or looks comes again.
      if (!running && !is_stopping && performance.now() >= resting_until) running = run();
    },
    isIdle: () => running === undefined,
    restsFor_ms: () => Math.max(0, resting_until - performance.now()),
    async stop(): Promise<void> {
      is_stopping = true;
      await running;
    },
  };
}

/** Asks of each work whether it is due; one statement for all, so that an idle process asks once a second in all. */
async function findDue({ db }: Pick<Context, "db">, works: readonly Work[], instant: Instant): Promise<boolean[]> {
  const asked = joined(
    works.map((work) => sql`(${work.due(instant)})`),
    ",",
  );
  return (await db.one<{ due: boolean[] }>(sql`select array[${asked}] as due`)).due;
}

/**
 * One loop for all work of a process: it looks for what is due, wakes what it finds, and sleeps. Bells wake a work without
 * a look.
 */
export function createLoop(context: Pick<Context, "db" | "clock" | "log" | "bell">, works: readonly Work[]): Loop {
  const { log, bell, clock } = context;
  let worked_at = Number.NEGATIVE_INFINITY;
  const lanes = works.map((work) => createLane(work, context, () => (worked_at = performance.now())));
  const silence: (() => void)[] = [];
  let is_stopping = false;
  let running: Promise<void> | undefined;
  let wake: (() => void) | undefined;

  function rest(ms: number): Promise<void> {
    return new Promise((resume) => {
      const timer = setTimeout(resume, ms);
      wake = () => {
        clearTimeout(timer);
        resume();
      };
    });
  }

  async function run(): Promise<void> {
    while (!is_stopping) {
      try {
        const due = await findDue(context, works, clock.now());
        // Whoever is at work finds by itself what has come meanwhile.
        for (const [i, lane] of lanes.entries()) if (due[i] && lane.isIdle()) lane.wake();
      } catch (err) {
        log.error({ err }, "work of the second phase could not be looked for");
        worked_at = Number.NEGATIVE_INFINITY;
      }
      const is_lively = performance.now() - worked_at < lively_ms || lanes.some((lane) => !lane.isIdle());
      if (!is_stopping) await rest(is_lively ? lively_pause_ms : idle_pause_ms);
    }
  }

  function listen({ bell: rung }: Work, lane: ReturnType<typeof createLane>): void {
    if (!rung) return;
    const { name, pause_ms, pause_ms_max = 0 } = rung;
    let planned: NodeJS.Timeout | undefined;
    const wakeIn = (ms: number) => {
      planned ??= setTimeout(() => {
        planned = undefined;
        // Whoever is at work rests first.
        const rest_ms = Math.min(pause_ms_max, lane.isIdle() ? lane.restsFor_ms() : pause_ms);
        if (rest_ms > 0) wakeIn(rest_ms);
        else lane.wake();
      }, ms);
    };
    const ring = () => wakeIn(pause_ms);
    silence.push(bell.onRing(name, ring), () => clearTimeout(planned));
  }

  return {
    start() {
      if (running !== undefined) return;
      for (const [i, lane] of lanes.entries()) listen(works[i] as Work, lane);
      running = run();
    },
    async stop() {
      is_stopping = true;
      for (const end of silence) end();
      wake?.();
      await Promise.all([running, ...lanes.map((lane) => lane.stop())]);
      await Promise.all(works.map((work) => work.stop?.()));
    },
  };
}

/**
 * Does everything that is due at the instant, and what becomes due by that: for clocks that are turned, as tests and samples have.
 * What is due is found as the loop finds it, and who said that there is more is asked again, due or not, as a lane asks.
 */
export async function runDue(context: Pick<Context, "db">, works: readonly Work[], instant: Instant): Promise<void> {
  let going_on = new Set<Work>();
  let went_on = true;
  while (went_on) {
    const is_due = await findDue(context, works, instant);
    const asked = works.filter((work, i) => is_due[i] || going_on.has(work));
    const progress = await Promise.all(asked.map((work) => work.step(instant)));
    going_on = new Set(asked.filter((_, i) => progress[i] === "more"));
    went_on = progress.some((one) => one !== "nothing");
  }
}
