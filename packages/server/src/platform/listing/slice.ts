import type { Queries, Tx } from "../db/database.js";
import { joined, plannedEachTime, type Sql, sql } from "../db/sql.js";
import { behind, count_max, ofProject, type Seen } from "./list.js";
import { type Order, orderedBy } from "./order.js";

/** Where the rows of a walk come from. */
export interface SliceSource {
  /** The table that is filtered and ordered; it has `project_id`. */
  table: Sql;
  /** What stands behind it in the `from`, for the fields; only the rows of the slice are joined. */
  joins: readonly Sql[];
  /** What is read of each row, under names of the caller's. */
  fields: Sql;
}

/** Which rows are walked over, and how far the walk is. */
interface SliceRequest {
  conditions: readonly Sql[];
  order: Order;
  /** Where the slice before ended; null at the beginning. */
  after: Seen;
  rows_max: number;
}

/** Whether more match than are found and sorted anew for each slice, as in lists. */
export async function areMany(
  queries: Queries,
  project_id: string,
  { table }: Pick<SliceSource, "table">,
  conditions: readonly Sql[],
): Promise<boolean> {
  const { total } = await queries.one<{ total: number }>(
    plannedEachTime(sql`
      select count(*) as total
        from (select from ${table} where ${ofProject(project_id, table, conditions)} limit ${count_max + 1}) as found`),
  );
  return total > count_max;
}

/**
 * Has the rest of the transaction read in the order of an index where there is one. What a filter lets through of a large
 * table is often thought to be little: 200,000 of 200,000 vouchers, found by their metadata and sorted for each of 100
 * slices, took 59 s.
 */
export const walkInOrder = (tx: Tx) =>
  tx.run(sql`select set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true)`);

/**
 * The next rows of a walk over all that match, in its order, and where the walk is then. Nothing is held between slices: each
 * goes on behind the last row of the one before, so that no row that stays as it is comes twice or not at all.
 */
export async function readSlice<Row>(
  queries: Queries,
  project_id: string,
  { table, joins, fields }: SliceSource,
  { conditions, order, after, rows_max }: SliceRequest,
): Promise<{ rows: Row[]; after: Seen }> {
  const { keys, descending } = gapless(order);
  const walked = { keys, descending, nullable: false };
  const position = joined(
    keys.map((key) => sql`(${key})::text`),
    ",",
  );
  const found = await queries.many<{ position: string[] } & Row>(
    plannedEachTime(sql`
      select array[${position}] as position, ${fields}
        from (select ${table}.* from ${table}
               where ${ofProject(project_id, table, [...conditions, ...behind(walked, after)])}
               order by ${orderedBy(walked)}
               limit ${rows_max}) as ${table}
        ${joins.reduce((all, join) => sql`${all} ${join}`, sql``)}
       order by ${orderedBy(walked)}`),
  );
  return { rows: found, after: found.at(-1)?.position ?? after };
}

/** An order whose first key may be missing, with what has none where a list has it: last, and first the other way round. */
function gapless({ keys: [first, ...others], descending, nullable }: Order): Pick<Order, "keys" | "descending"> {
  if (!first) throw new Error("an order without keys");
  // Such keys are texts, all of them.
  const keys = nullable ? [sql`(${first} is null)`, sql`coalesce(${first}, '')`, ...others] : [first, ...others];
  return { keys, descending };
}
