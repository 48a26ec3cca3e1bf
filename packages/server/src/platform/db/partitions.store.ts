import { type Instant, isoOf } from "../clock.js";
import type { Queries, Tx } from "./database.js";
import { plannedEachTime, sql, verbatim } from "./sql.js";

/** A partition with the time its rows are of; the default one is none. */
export interface Partition {
  name: string;
  from: Instant;
  to: Instant;
}

export async function findPartitions(db: Queries, table: string): Promise<Partition[]> {
  const rows = await db.many<{ name: string; bounds: string }>(sql`-- every project: partitions hold them all
    select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bounds
      from pg_inherits
      join pg_class as child on child.oid = pg_inherits.inhrelid
     where pg_inherits.inhparent = to_regclass(${table})`);
  return rows.flatMap(({ name, bounds }) => {
    const [, from, to] = /^FOR VALUES FROM \('(.+)'\) TO \('(.+)'\)$/.exec(bounds) ?? [];
    return from && to ? [{ name, from: instantIn(from), to: instantIn(to) }] : [];
  });
}

/** "2026-03-01 00:00:00+00", in whatever zone the session shows. */
const instantIn = (text: string): Instant => Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));

/** Of when the first and the last row in the default partition are; undefined when there is none. */
export async function rangeInDefault(
  db: Queries,
  table: string,
): Promise<{ first: Instant; last: Instant } | undefined> {
  const range = await db.one<{
    first: Instant | null;
    last: Instant | null;
  }>(sql`-- every project: partitions hold them all
    select min(part.created_at) as first, max(part.created_at) as last from ${verbatim(`${table}_default`)} as part`);
  return range.first === null || range.last === null ? undefined : { first: range.first, last: range.last };
}

/** Changes of a table; they are not prepared, since each runs once. */
const once = plannedEachTime;

const bound = (instant: Instant) => verbatim(`'${isoOf(instant)}'`);
const values = (from: Instant, to: Instant) => sql`for values from (${bound(from)}) to (${bound(to)})`;

/** Nobody reads or writes the table or a part of it until the transaction ends. */
export const lockTable = (tx: Tx, table: string) =>
  tx.run(once(sql`lock table ${verbatim(table)} in access exclusive mode`));

export const createPartition = (tx: Tx, table: string, { name, from, to }: Partition) =>
  tx.run(once(sql`create table ${verbatim(name)} partition of ${verbatim(table)} ${values(from, to)}`));

export const dropPartition = (tx: Tx, name: string) => tx.run(once(sql`drop table ${verbatim(name)}`));

/** The default partition becomes a partition of that time; an empty one takes its place, and the rows of other times. */
export async function turnDefaultInto(
  tx: Tx,
  table: string,
  { name, from, to }: Partition,
  { has_strays }: { has_strays: boolean },
): Promise<void> {
  const [whole, part, rest] = [verbatim(table), verbatim(name), verbatim(`${table}_default`)];
  await tx.run(once(sql`alter table ${whole} detach partition ${rest}`));
  await tx.run(once(sql`alter table ${rest} rename to ${part}`));
  await tx.run(once(sql`create table ${rest} partition of ${whole} default`));
  if (has_strays) {
    await tx.run(
      once(sql`-- every project: partitions hold them all
        with stray as (
          delete from ${part} where created_at < ${isoOf(from)} or created_at >= ${isoOf(to)} returning *
        )
        insert into ${rest} select * from stray`),
    );
  }
  // Refused should a row be of another time all the same; then nothing has happened.
  await tx.run(once(sql`alter table ${whole} attach partition ${part} ${values(from, to)}`));
}
