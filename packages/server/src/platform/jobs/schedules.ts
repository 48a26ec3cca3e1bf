import type { Instant } from "../clock.js";
import type { Context } from "../context.js";
import { newId } from "../ids.js";
import type { Work } from "./loop.js";
import { endRun, leaseDue, missOrDue } from "./schedules.store.js";

/** Something that is done again and again as time passes: purges, partitions, expiry. */
export interface Schedule {
  /** Stored with when it is due next; it stays as it is. */
  name: string;
  /** `project`: does something to projects' own data, and can be kept to some of them. `installation`: to the whole. */
  of: "project" | "installation";
  /** When it is due again, after a run at the instant. */
  next(instant: Instant): Instant;
  /**
   * Does what has become due by the instant, however many runs were missed: a bounded part of it, some seconds at most.
   * Answers whether there is more. Killed anywhere it is simply called again.
   *
   * @param project_ids these projects alone: for tests, which share a database. Null: every project.
   */
  runDue(context: Context, instant: Instant, project_ids: readonly string[] | null): Promise<boolean>;
}

/** `next` of something that is due so often. */
export const every =
  ({ hours = 0, minutes = 0, seconds = 0 }: { hours?: number; minutes?: number; seconds?: number }) =>
  (instant: Instant): Instant =>
    instant + ((hours * 60 + minutes) * 60 + seconds) * 1_000;

/** Longer than one call of `runDue` takes; should its process die, another one takes over after this. */
export const schedule_lease_ms = 15_000;
const failure_pause_ms = 5_000;
const failure_pause_ms_max = 60 * 60_000;

/**
 * Runs what is due. Any number of processes may: the row of a schedule says when it is due and who has it. Schedules take
 * turns, so that a long one delays no other; one that fails is tried again, later each time.
 */
export function scheduleWork(context: Context, schedules: readonly Schedule[]): Work {
  const { db, log } = context;
  const by_name = new Map(schedules.map((schedule) => [schedule.name, schedule]));
  const names = [...by_name.keys()];

  async function step(instant: Instant) {
    const lease = { token: newId("lease"), until: instant + schedule_lease_ms };
    const leased = await leaseDue(db, names, instant, lease);
    const schedule = by_name.get(leased?.name ?? "");
    if (!leased || !schedule) return "nothing";
    const { name, failures } = leased;
    try {
      const has_more = await schedule.runDue(context, instant, null);
      await endRun(db, { name, token: lease.token, failures: 0, due_at: has_more ? instant : schedule.next(instant) });
    } catch (err) {
      log.error({ schedule: name, failures: failures + 1, err }, "a schedule failed");
      const due_at = instant + Math.min(failure_pause_ms_max, failure_pause_ms * 2 ** failures);
      await endRun(db, { name, token: lease.token, failures: failures + 1, due_at });
    }
    return "more";
  }

  return { name: "schedules", due: (instant) => missOrDue(names, instant), step };
}

/** Runs schedules of projects for these projects, due or not: for tests, which share a database and its schedules. */
export async function runSchedules(
  context: Context,
  schedules: readonly Schedule[],
  instant: Instant,
  project_ids: readonly string[],
): Promise<void> {
  for (const schedule of schedules) {
    if (schedule.of === "project") while (await schedule.runDue(context, instant, project_ids));
  }
}
