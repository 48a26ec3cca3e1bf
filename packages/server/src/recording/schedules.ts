import type { Instant } from "../platform/clock.js";
import type { Context } from "../platform/context.js";
import { maintainPartitions, type Partitioned, preparePartitions } from "../platform/db/partitions.js";
import { purge } from "../platform/db/purge.js";
import { every, type Schedule } from "../platform/jobs/schedules.js";
import { purgeEdits } from "./edits.store.js";
import { kept_ms } from "./idempotency/keyed.js";

/** A day is dropped once the last of its keys has ended. */
const kept_answers: Partitioned = {
  table: "kept_answers",
  span: "day",
  kept_days: kept_ms / 86_400_000,
  isNeeded: async () => false,
};

/** Makes today's partition at the start of a process. */
export const prepareKeptAnswers = (context: Context, instant: Instant): Promise<void> =>
  preparePartitions(context, [kept_answers], instant);

export const schedules: readonly Schedule[] = [
  purge("old edits", purgeEdits),
  {
    name: "kept answers",
    of: "installation",
    next: every({ hours: 1 }),
    runDue: ({ db }, instant) => maintainPartitions(db, [kept_answers], instant),
  },
];
