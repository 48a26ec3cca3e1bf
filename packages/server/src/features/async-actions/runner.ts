import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { newId } from "../../platform/ids.js";
import { runDue, type Work } from "../../platform/jobs/loop.js";
import { type AsyncJob, type AsyncQueue, async_queues } from "./async-action.js";
import { recordFailure, runSlice } from "./run-slice.js";
import { findDue, type Leased, lease, someDue } from "./runner.store.js";
import { createRooms } from "./slice-rooms.js";

/** Does the work of asynchronous actions (architecture.md §5). */
export interface AsyncRunner {
  works: readonly Work[];
  /** Does everything that is due at the instant, and what becomes due by that. */
  runDue(instant: Instant): Promise<void>;
}

interface RunnerOptions {
  /** Serves these projects alone: for tests, which share a database. */
  project_ids?: readonly string[];
}

/** Longer than any slice takes; a runner that died is replaced after this. */
export const lease_ms = 15_000;
/** Projects remembered for their turn. */
const served_max = 1_000;

/**
 * Takes one action at a time from each of the two queues, does one slice of it, hands it back. Projects take turns,
 * and so do the long actions of a project; neither queue waits for the other.
 */
export function createRunner(
  context: Pick<Context, "db" | "bell" | "log" | "seal" | "turns">,
  jobs: readonly AsyncJob[],
  { project_ids }: RunnerOptions = {},
): AsyncRunner {
  const { db } = context;
  const job_of = new Map(jobs.map((job) => [job.type, job]));
  const rooms = createRooms();
  const served: Record<AsyncQueue, string[]> = { bulk: [], long: [] };

  async function take(queue: AsyncQueue, instant: Instant): Promise<Leased | undefined> {
    const wanted = { types: [...job_of.keys()], instant, served: served[queue], project_ids: project_ids ?? null };
    for (const candidate of await findDue(db, queue, wanted)) {
      const taken = await lease(db, candidate, newId("lease"), instant, instant + lease_ms);
      if (!taken) continue;
      served[queue] = [...served[queue].filter((id) => id !== taken.project_id), taken.project_id].slice(-served_max);
      return taken;
    }
    return undefined;
  }

  /**
   * Does one slice of the queue's next action; answers whether there was one. While requests come in it is as small as the first of its
   * kind, and rests behind it as long as it took.
   */
  async function runNext(queue: AsyncQueue, instant: Instant): Promise<boolean> {
    const leased = await take(queue, instant);
    if (!leased) return false;
    const job = job_of.get(leased.type);
    if (!job) throw new Error(`a ${leased.type} was taken without a job for it`);
    const { foreground } = context.turns;
    const room = rooms.of(job);
    const rows_max = foreground.isBusy() ? Math.min(room, job.rows.start) : room;
    const task = { leased, job, instant, rows_max };
    const begun = performance.now();
    try {
      await runSlice(context, task);
      const took_ms = performance.now() - begun;
      rooms.tell(job, (took_ms * room) / rows_max);
      await foreground.giveWay(took_ms);
    } catch (error) {
      rooms.tell(job, Number.POSITIVE_INFINITY);
      await recordFailure(context, task, error as Error);
    }
    return true;
  }

  const works = async_queues.map(
    (queue): Work => ({
      name: `${queue} asynchronous actions`,
      bell: { name: "async_actions", pause_ms: 0 },
      due: (instant) => someDue(queue, { types: [...job_of.keys()], instant, project_ids: project_ids ?? null }),
      step: async (instant) => ((await runNext(queue, instant)) ? "more" : "nothing"),
    }),
  );
  return { works, runDue: (instant) => runDue(context, works, instant) };
}
