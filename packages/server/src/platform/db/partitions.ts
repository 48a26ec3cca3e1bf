import { type Instant, isoOf } from "../clock.js";
import type { Context } from "../context.js";
import type { Database, Tx } from "./database.js";
import { lockKeys } from "./locks.js";
import {
  createPartition,
  dropPartition,
  findPartitions,
  lockTable,
  type Partition,
  rangeInDefault,
  turnDefaultInto,
} from "./partitions.store.js";
import { sql } from "./sql.js";

/** What a partition spans, by the calendar of UTC. */
type Span = "month" | "day";

/** A table whose rows age: a month, or a day, is a partition, and old ones are dropped whole (architecture.md §6). */
export interface Partitioned {
  /** Partitioned by range of `created_at`, with a default partition called `…_default`. */
  table: string;
  /** A month unless it is said. */
  span?: Span;
  /** How long a partition is kept after its end. */
  kept_days: number;
  /** Whether rows of that time are still needed; the partition is then kept. Asked while nobody can write. */
  isNeeded(tx: Tx, from: Instant, to: Instant): Promise<boolean>;
}

const spans_ahead = 3;
const day_ms = 86_400_000;
/** How long a change of the table may wait, and all who write to it behind it; it is tried again later. */
const lock_ms_max = 1_000;

/**
 * Makes the partitions of this month or day and the coming ones, gives rows that fell into the default partition a partition
 * of their own, and drops the oldest that has aged. Any number of processes may, at any time.
 *
 * @returns whether there is more to do.
 */
export async function maintainPartitions(
  db: Database,
  tables: readonly Partitioned[],
  instant: Instant,
): Promise<boolean> {
  let has_more = false;
  for (const partitioned of tables) {
    await makePartitions(db, partitioned, instant);
    if (await dropOldest(db, partitioned, instant)) has_more = true;
  }
  return has_more;
}

/** Makes what this month or day and the coming ones need. One that was missed is in the default partition, and gets out of it. */
async function makePartitions(db: Database, { table, span = "month" }: Partitioned, instant: Instant): Promise<void> {
  // One after the other until none is left, so that each change holds its locks for a moment only.
  while (await settleDefault(db, table, span, instant));
  for (let ahead = 0; ahead <= spans_ahead; ahead += 1) {
    const [from, to] = [startOf(span, instant, ahead), startOf(span, instant, ahead + 1)];
    if (isCovered(await findPartitions(db, table), from, to)) continue;
    await changing(db, table, async (tx) => {
      if (isCovered(await findPartitions(tx, table), from, to)) return;
      await createPartition(tx, table, { name: nameOf(table, span, from, to), from, to });
    });
  }
}

/**
 * Makes the partitions of now at the start of a process. Should a table be too busy for it the schedule does it a little
 * later: rows of a time without a partition are kept as well.
 */
export async function preparePartitions(
  { db, log }: Pick<Context, "db" | "log">,
  tables: readonly Partitioned[],
  instant: Instant,
): Promise<void> {
  for (const partitioned of tables) {
    const { table } = partitioned;
    await makePartitions(db, partitioned, instant).catch((err: Error) =>
      log.warn({ table, err, day: isoOf(instant).slice(0, 10) }, "the partition could not be made yet"),
    );
  }
}

const isCovered = (partitions: readonly Partition[], from: Instant, to: Instant) =>
  partitions.some((partition) => partition.from <= from && to <= partition.to);

/**
 * Makes the default partition the partition of the months or days that its latest rows are of, and puts an empty one in its place:
 * no row moves, however many there are, but the few of other months, which go to the new default and are next. What the
 * tables must wait for is PostgreSQL's own scan of the rows. Moving them in batches would hide each batch from its readers,
 * or scan what is left under the same lock once a batch.
 *
 * @returns whether there was anything in it.
 */
async function settleDefault(db: Database, table: string, span: Span, instant: Instant): Promise<boolean> {
  const rows = await rangeInDefault(db, table);
  if (!rows) return false;
  const before = await findPartitions(db, table);
  await changing(db, table, async (tx) => {
    // As many rows as there may be are scanned for once.
    await tx.run(sql`select set_config('statement_timeout', '600000', true)`);
    await lockTable(tx, table);
    const partitions = await findPartitions(tx, table);
    // Somebody else was here meanwhile, and what was read of the rows is of another partition.
    if (partitions.length !== before.length) return;
    const { from, to } = holeAround(partitions, rows, span, instant);
    await turnDefaultInto(
      tx,
      table,
      { name: nameOf(table, span, from, to), from, to },
      { has_strays: rows.first < from },
    );
  });
  return true;
}

/** The months or days of the rows up to the latest, and of now, as far as no other partition reaches on either side. */
function holeAround(
  partitions: readonly Partition[],
  rows: { first: Instant; last: Instant },
  span: Span,
  instant: Instant,
) {
  const floor = Math.max(...partitions.map(({ to }) => to).filter((to) => to <= rows.last), Number.NEGATIVE_INFINITY);
  const ceiling = Math.min(
    ...partitions.map(({ from }) => from).filter((from) => from > rows.last),
    Number.POSITIVE_INFINITY,
  );
  const latest = instant >= rows.last && instant < ceiling ? instant : rows.last;
  return { from: Math.max(startOf(span, rows.first, 0), floor), to: Math.min(startOf(span, latest, 1), ceiling) };
}

/** Drops the oldest partition whose time is over and that nobody needs; answers whether there was one. */
async function dropOldest(db: Database, { table, kept_days, isNeeded }: Partitioned, instant: Instant) {
  const aged = (await findPartitions(db, table)).filter(({ to }) => to + kept_days * day_ms <= instant);
  for (const { name, from, to } of aged.sort((a, b) => a.from - b.from)) {
    const is_dropped = await changing(db, table, async (tx) => {
      await lockTable(tx, table);
      if (await isNeeded(tx, from, to)) return false;
      await dropPartition(tx, name);
      return true;
    });
    if (is_dropped) return true;
  }
  return false;
}

/** One change of a table's partitions at a time, and none that makes those who write wait for long. */
function changing<Answer>(db: Database, table: string, work: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  return db.transaction(async (tx) => {
    await lockKeys(tx, [{ project_id: "", kind: "name", id: `partitions of ${table}` }]);
    await tx.run(sql`select set_config('lock_timeout', ${String(lock_ms_max)}, true)`);
    return work(tx);
  });
}

/** The first instant of the month or day, some of them later. */
function startOf(span: Span, instant: Instant, later: number): Instant {
  const date = new Date(instant);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return span === "month" ? Date.UTC(year, month + later, 1) : Date.UTC(year, month, date.getUTCDate() + later);
}

/** `events_2026_03`; of several months, or days, the first and the last. */
function nameOf(table: string, span: Span, from: Instant, to: Instant): string {
  const length = span === "month" ? 7 : 10;
  const names = [...new Set([from, to - 1].map((instant) => isoOf(instant).slice(0, length)))];
  return [table, ...names].join("_").replaceAll("-", "_");
}
