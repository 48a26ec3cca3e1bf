import type { Instant } from "../clock.js";
import { every, type Schedule } from "../jobs/schedules.js";
import type { Queries } from "./database.js";

/** What a purge may delete in one statement. */
export interface Ended {
  /** Everything that ended by then. Whoever reads filters by the instant too, so nothing waits for the purge. */
  instant: Instant;
  /** Null: every project. */
  project_ids: readonly string[] | null;
  rows_max: number;
}

/** Few enough to be deleted within a moment, so that nobody waits for their locks. */
const rows_max = 2_000;

/** A schedule that deletes what has ended: each hour, in as many bounded statements as it takes. */
export function purge(name: string, deleteEnded: (db: Queries, ended: Ended) => Promise<number>): Schedule {
  return {
    name,
    of: "project",
    next: every({ hours: 1 }),
    runDue: async ({ db }, instant, project_ids) =>
      (await deleteEnded(db, { instant, project_ids, rows_max })) >= rows_max,
  };
}
