import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { change } from "../../recording/index.js";
import { type AsyncJob, CannotGoOn, type RunningAction, type Slice } from "./async-action.js";
import {
  type Ending,
  holdLease,
  insertRows,
  type Leased,
  recordEnd,
  recordProgress,
  recordTry,
} from "./runner.store.js";

/** Tries of one slice, two minutes or so in all, before the action is given up. */
export const tries_max = 9;
const backoff_ms_max = 30_000;

/** An action that this runner has leased, with the job that does it and the instant of the slice. */
interface Task {
  leased: Leased;
  job: AsyncJob;
  instant: Instant;
  rows_max: number;
}

/** What a transaction of a slice needs. */
type Recorder = Pick<Context, "db" | "bell" | "seal" | "turns">;

/** Does one slice and writes how far the action is, in one transaction; nothing if the lease is another runner's by now. */
export async function runSlice(context: Recorder, task: Task): Promise<void> {
  const { leased, job, instant } = task;
  // So often has its runner died that the action must be what kills it.
  if (leased.failures >= tries_max) throw new Error("its runner was lost too often");
  const action = running(task);
  await change(context, action, async (change) => {
    const { tx } = change;
    // A runner that slept while its action was taken over stops here; from here on nobody can take it over.
    if (!(await holdLease(tx, leased))) return;
    const slice = await job.slice(change, action, context);
    await insertRows(tx, leased, slice.rows ?? []);
    const done_count = leased.done_count + (slice.done_count ?? 0);
    const failed_count = leased.failed_count + (slice.failed_count ?? 0);
    const counts = { done_count, failed_count, instant };
    const written = slice.done
      ? await recordEnd(tx, leased, ending(slice, counts))
      : await recordProgress(tx, leased, { ...counts, progress: percent(slice.progress), state: slice.state });
    if (written !== 1) throw new Error(`action ${leased.id} was lost under the lock of its row`);
  });
}

/** Gives a failed slice back for another try, in its place; after too many, or when none can help, ends the action. */
export async function recordFailure(context: Recorder & Pick<Context, "log">, task: Task, error: Error): Promise<void> {
  const { log } = context;
  const { leased, instant } = task;
  const { project_id, id: async_action_id, type } = leased;
  const failures = leased.failures + 1;
  const is_final = error instanceof CannotGoOn;
  const shown = { project_id, async_action_id, type, failures };
  if (is_final) log.info({ ...shown, reason: error.message }, "an asynchronous action cannot go on");
  else log.error({ ...shown, err: error }, "a slice of an asynchronous action failed");
  if (!is_final && failures < tries_max) {
    const due_at = instant + Math.min(backoff_ms_max, 250 * 2 ** failures);
    await change(context, running(task), ({ tx }) => recordTry(tx, leased, failures, due_at));
    return;
  }
  // What went wrong inside is ours to read in the log, not the caller's.
  const reason = is_final ? error.message : "The action was given up after repeated errors.";
  await giveUp(context, task, reason, true).catch((err: Error) => {
    // An action that cannot even fail would hold up its project's queue for ever.
    log.error({ ...shown, err }, "a job could not be told of its failure");
    return giveUp(context, task, reason, false);
  });
}

async function giveUp(context: Recorder, task: Task, reason: string, is_told: boolean): Promise<void> {
  const { leased, job, instant } = task;
  const action = running(task);
  await change(context, action, async (change) => {
    const { tx } = change;
    if (!(await holdLease(tx, leased))) return;
    if (is_told) await job.failed?.(change, action, reason);
    const { done_count, failed_count } = leased;
    await recordEnd(tx, leased, {
      status: "FAILED",
      operation_status: "FAILED",
      done_count,
      failed_count,
      progress: null,
      result: { message: reason, done_count },
      instant,
    });
  });
}

function running({ leased, instant, rows_max }: Task): RunningAction {
  return { ...leased, instant, rows_max };
}

function ending(
  { result, is_aborted = false }: Slice & { done: true },
  counts: Pick<Ending, "done_count" | "failed_count" | "instant">,
): Ending {
  if (is_aborted) return { ...counts, status: "FAILED", operation_status: "FAILED", progress: null, result };
  // One that was done, or none that failed, makes a success (vouchers-and-campaigns.md §7, UNSETTLED).
  const is_success = counts.done_count > 0 || counts.failed_count === 0;
  return { ...counts, status: "DONE", operation_status: is_success ? "SUCCESS" : "FAILED", progress: 100, result };
}

/** A whole percentage below 100, which only the end reaches. */
function percent(progress: number): number {
  return Math.max(0, Math.min(99, Math.floor(progress)));
}
