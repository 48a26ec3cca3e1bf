import type { Instant } from "../platform/clock.js";
import type { Context } from "../platform/context.js";
import { maintainPartitions, type Partitioned, preparePartitions } from "../platform/db/partitions.js";
import { every, type Schedule } from "../platform/jobs/schedules.js";
import { forgetGivenUp, someWaitOf } from "./event-partitions.store.js";

const tablesOf = ({ events_days }: Context["config"]): Partitioned[] => [
  {
    table: "events",
    kept_days: events_days,
    async isNeeded(tx, from, to) {
      if (await someWaitOf(tx, from, to)) return true;
      await forgetGivenUp(tx, from, to);
      return false;
    },
  },
];

/** Makes the months ahead and drops the old ones (architecture.md §6). */
const partitions: Schedule = {
  name: "partitions",
  of: "installation",
  next: every({ hours: 6 }),
  runDue: ({ db, config }, instant) => maintainPartitions(db, tablesOf(config), instant),
};

/** Makes this month's partitions at the start of a process. */
export const prepareEvents = (context: Context, instant: Instant): Promise<void> =>
  preparePartitions(context, tablesOf(context.config), instant);

export const schedules: readonly Schedule[] = [partitions];
