import type { Instant } from "../platform/clock.js";
import { isoOf } from "../platform/clock.js";
import type { Context } from "../platform/context.js";
import { maintainPartitions, makePartitions, type Partitioned } from "../platform/db/partitions.js";
import { every, type Schedule } from "../platform/jobs/schedules.js";
import { forgetGivenUp, someWaitOf } from "./event-partitions.store.js";

/** An empty month of the outbox says nothing to anybody. */
const outbox_days = 7;

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
  { table: "outbox", kept_days: outbox_days, isNeeded: (tx, from, to) => someWaitOf(tx, from, to) },
];

/** Makes the months ahead and drops the old ones (architecture.md §6). */
const partitions: Schedule = {
  name: "partitions",
  of: "installation",
  next: every({ hours: 6 }),
  runDue: ({ db, config }, instant) => maintainPartitions(db, tablesOf(config), instant),
};

/**
 * Makes this month's partitions at the start of a process. Should the table be too busy for it the schedule does it a
 * little later: rows of a month without a partition are kept as well.
 */
export async function preparePartitions({ db, config, log }: Context, instant: Instant): Promise<void> {
  for (const { table } of tablesOf(config)) {
    await makePartitions(db, table, instant).catch((err: Error) =>
      log.warn({ table, err, month: isoOf(instant).slice(0, 7) }, "the month's partition could not be made yet"),
    );
  }
}

export const schedules: readonly Schedule[] = [partitions];
