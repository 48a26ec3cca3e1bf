import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import { createLoop } from "../../platform/loop.js";
import {
  type AsyncActionType,
  type AsyncJob,
  type AsyncQueue,
  async_queues,
  CannotGoOn,
  type Slice,
} from "./async-action.js";
import {
  findDue,
  holdLease,
  insertRows,
  type Leased,
  lease,
  recordEnd,
  recordProgress,
  recordTry,
} from "./runner.store.js";
import { createRooms } from "./slice-rooms.js";

/** Does the work of asynchronous actions (architecture.md §5). */
export interface AsyncRunner {
  start(): void;
  /** An action was started and committed in this process. */
  nudge(): void;
  /** Ends after the slices under way; what is not done is another runner's, at once. */
  stop(): Promise<void>;
  /** Does everything that is due at the instant, and what becomes due by that. */
  runDue(instant: Instant): Promise<void>;
}

export interface RunnerOptions {
  /** Serves these projects alone: for tests, which share a database. */
  project_ids?: readonly string[];
}

const look_ms = 200;
/** Longer than any slice takes; a runner that died is replaced after this. */
export const lease_ms = 15_000;
/** Tries of one slice, a minute or so in all, before the action is given up. */
const tries_max = 9;
const backoff_ms_max = 30_000;
const served_max = 1_000;

/**
 * Takes one action at a time from each of the two queues, does one slice of it, hands it back. Projects take turns,
 * and so do the long actions of a project; neither queue waits for the other.
 */
export function createRunner(
  context: Pick<Context, "db" | "clock" | "log">,
  jobs: readonly AsyncJob[],
  options: RunnerOptions = {},
): AsyncRunner {
  const { db, clock, log } = context;
  const job_of = new Map(jobs.map((job) => [job.type, job]));
  const types: readonly AsyncActionType[] = [...job_of.keys()];
  const rooms = createRooms();
  const served: Record<AsyncQueue, string[]> = { bulk: [], long: [] };

  async function take(queue: AsyncQueue, instant: Instant): Promise<Leased | undefined> {
    const wanted = { types, instant, served: served[queue], project_ids: options.project_ids ?? null };
    for (const candidate of await findDue(db, queue, wanted)) {
      const taken = await lease(db, candidate, newId("lease"), instant, instant + lease_ms);
      if (!taken) continue;
      served[queue] = [...served[queue].filter((id) => id !== taken.project_id), taken.project_id].slice(-served_max);
      return taken;
    }
    return undefined;
  }

  async function runSlice(leased: Leased, job: AsyncJob, instant: Instant): Promise<void> {
    await db.transaction(async (tx) => {
      // A runner that slept while its action was taken over stops here; from here on nobody can take it over.
      if (!(await holdLease(tx, leased))) return;
      const slice = await job.slice(tx, { ...leased, instant, rows_max: rooms.of(job) });
      await insertRows(tx, leased, slice.rows ?? []);
      const done_count = leased.done_count + (slice.done_count ?? 0);
      const failed_count = leased.failed_count + (slice.failed_count ?? 0);
      const written = slice.done
        ? await recordEnd(tx, leased, ending(slice, done_count, failed_count, instant))
        : await recordProgress(tx, leased, {
            done_count,
            failed_count,
            progress: percent(slice.progress),
            state: slice.state,
            instant,
          });
      if (written !== 1) throw new Error(`action ${leased.id} was lost under the lock of its row`);
    });
  }

  async function recordFailure(leased: Leased, job: AsyncJob, instant: Instant, error: Error): Promise<void> {
    const failures = leased.failures + 1;
    const { project_id, id, type } = leased;
    log.error(
      { project_id, async_action_id: id, type, failures, err: error },
      "a slice of an asynchronous action failed",
    );
    if (!(error instanceof CannotGoOn) && failures < tries_max) {
      const due_at = instant + Math.min(backoff_ms_max, 250 * 2 ** failures);
      await db.transaction((tx) => recordTry(tx, leased, failures, due_at));
      return;
    }
    const reason = error instanceof CannotGoOn ? error.message : "The action was given up after repeated errors.";
    const end = (is_told: boolean) =>
      db.transaction(async (tx) => {
        if (!(await holdLease(tx, leased))) return;
        if (is_told) await job.failed?.(tx, { ...leased, instant, rows_max: rooms.of(job) }, reason);
        const { done_count, failed_count } = leased;
        const result = { message: reason, done_count };
        await recordEnd(tx, leased, {
          status: "FAILED",
          operation_status: "FAILED",
          done_count,
          failed_count,
          progress: null,
          result,
          instant,
        });
      });
    await end(true).catch((err: Error) => {
      // An action that cannot even fail would hold up its project's queue for ever.
      log.error({ project_id, async_action_id: id, type, err }, "a job could not be told of its failure");
      return end(false);
    });
  }

  /** Does one slice of the queue's next action; answers whether there was one. */
  async function runNext(queue: AsyncQueue, instant: Instant): Promise<boolean> {
    const leased = await take(queue, instant);
    if (!leased) return false;
    const job = job_of.get(leased.type);
    if (!job) throw new Error(`a ${leased.type} was taken without a job for it`);
    const begun = performance.now();
    try {
      // So often has the action's runner died that the action must be what kills it.
      if (leased.failures >= tries_max) throw new Error("its runner was lost too often");
      await runSlice(leased, job, instant);
      rooms.tell(job, performance.now() - begun);
    } catch (error) {
      rooms.tell(job, Number.POSITIVE_INFINITY);
      await recordFailure(leased, job, instant, error as Error);
    }
    return true;
  }

  const loops = async_queues.map((queue) =>
    createLoop({
      work: () => runNext(queue, clock.now()),
      pause_ms: look_ms,
      failed: (err) => log.error({ err, queue }, "asynchronous actions could not be looked for"),
    }),
  );

  return {
    start() {
      for (const loop of loops) loop.start();
    },
    nudge() {
      for (const loop of loops) loop.nudge();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    async runDue(instant) {
      for (let found = true; found; )
        found = (await Promise.all(async_queues.map((queue) => runNext(queue, instant)))).includes(true);
    },
  };
}

function ending(slice: Slice & { done: true }, done_count: number, failed_count: number, instant: Instant) {
  // One that was done, or none that failed, makes a success (§7, UNSETTLED).
  const operation_status = done_count > 0 || failed_count === 0 ? ("SUCCESS" as const) : ("FAILED" as const);
  return {
    status: "DONE" as const,
    operation_status,
    done_count,
    failed_count,
    progress: 100,
    result: slice.result,
    instant,
  };
}

/** A whole percentage below 100, which only the end reaches. */
function percent(progress: number): number {
  return Math.max(0, Math.min(99, Math.floor(progress)));
}
