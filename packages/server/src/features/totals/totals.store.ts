import { redeemed_fields } from "../../books/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { addedTo, insertInto, int8, table, text, timestamptz } from "../../platform/db/table.js";

/** What is counted by the hour. */
export const counted_facts = ["redemption", "refusal", "rollback", "publication", "customer"] as const;
export type CountedFact = (typeof counted_facts)[number];

/** What happened of a kind in an hour. */
export interface HourTotal {
  hour: Instant;
  what: CountedFact;
  /** Of a refusal. */
  key: string;
  count: number;
  orders_amount: number;
  discount_amount: number;
}

const hour_totals = table<HourTotal>("hour_totals", {
  ...{ hour: timestamptz, what: text, key: text, count: int8, orders_amount: int8, discount_amount: int8 },
});
const added_to_hours = addedTo(hour_totals, ["hour", "what", "key"], ["count", "orders_amount", "discount_amount"]);

/** Adds to what is counted; the rows come in one order from everybody, since they are locked by being written. */
export const addTotals = (tx: Tx, project_id: string, totals: readonly HourTotal[]) =>
  tx.run(sql`${insertInto(hour_totals, project_id, totals)} ${added_to_hours}`);

/** What totals say of redemptions and rollbacks; of several on one order the first brings the order's amount. */
export const findAmounts = (tx: Queries, project_id: string, ids: readonly string[]) =>
  tx.many<{
    id: string;
    is_whole: boolean;
    failure_code: string | null;
    orders_amount: number;
    discount_amount: number;
  }>(sql`
    select redemptions.id, redemptions.failure_code,
           coalesce(${redeemed_fields}) is null as is_whole,
           case when redemptions.parent_id is not null and exists (
                  select from redemptions as sibling
                   where sibling.project_id = ${project_id} and sibling.parent_id = redemptions.parent_id
                     and sibling.object = redemptions.object and sibling.id < redemptions.id)
                then 0 else abs(coalesce(redemptions.order_amount, 0)) end as orders_amount,
           abs(redemptions.discount_amount) as discount_amount
      from redemptions
     where redemptions.project_id = ${project_id} and redemptions.id = any(${ids}::text[])`);

/** What happened in each hour of a time, from the start and before the end, whatever the keys. */
export const listHours = (db: Queries, project_id: string, { from, to }: { from: Instant; to: Instant }) =>
  db.many<Omit<HourTotal, "key">>(sql`
    select hour_totals.hour, hour_totals.what, sum(hour_totals.count) as count,
           sum(hour_totals.orders_amount) as orders_amount,
           sum(hour_totals.discount_amount) as discount_amount
      from hour_totals
     where hour_totals.project_id = ${project_id} and hour_totals.hour >= ${isoOf(from)} and hour_totals.hour < ${isoOf(to)}
     group by hour_totals.hour, hour_totals.what
     order by hour_totals.hour, hour_totals.what`);

/** Why most was refused. */
export const listRefusalKeys = (
  db: Queries,
  project_id: string,
  { from, to, keys_max }: { from: Instant; to: Instant; keys_max: number },
) =>
  db.many<{ key: string; count: number }>(sql`
    select hour_totals.key, sum(hour_totals.count) as count
      from hour_totals
     where hour_totals.project_id = ${project_id} and hour_totals.what = 'refusal'
       and hour_totals.hour >= ${isoOf(from)} and hour_totals.hour < ${isoOf(to)}
     group by hour_totals.key
     order by count desc, hour_totals.key limit ${keys_max}`);
