import { randomInt } from "node:crypto";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, joined, type Sql, sql } from "../../platform/db/sql.js";
import { fieldsBut, text } from "../../platform/db/table.js";
import { isAmong } from "../../platform/jobs/served.js";
import {
  each_redeemed,
  hasHistory,
  type RedeemedColumns,
  redeemedOf,
  type WithHistory,
  with_history,
} from "../redeemed.js";
import { added_to_days, added_to_units, everybody, ofCustomer } from "./histories.store.js";

/** A voucher or a customer whose redemptions are too many to be counted one by one. */
export interface LongHistory {
  kind: WithHistory | "customer";
  id: string;
}

export const history_kinds: readonly LongHistory["kind"][] = [...with_history, "customer"];

export const uniqueHistories = (histories: readonly LongHistory[]): LongHistory[] => [
  ...new Map(histories.map((history) => [history.id, history])).values(),
];

/** So many redemptions of any kind are looked at one by one, 0.2 ms; failed and undone ones are among them. */
export const looked_at_max = 200;
/** Of so many rows that are written one asks how long its histories have become. */
const noticed_one_in = 32;

/** The column that leads the index in the order of time. */
export const column_of_history = Object.fromEntries(
  history_kinds.map((kind) => [kind, fieldsBut({ name: "redemptions", columns: { [`${kind}_id`]: text } }, [])]),
) as Record<LongHistory["kind"], Sql>;

/** The histories that a redemption is in. */
function historiesOf(row: RedeemedColumns & { customer_id: string | null }): LongHistory[] {
  const redeemed = redeemedOf(row);
  const histories: LongHistory[] = [];
  if (redeemed !== null && hasHistory(redeemed.object)) histories.push({ kind: redeemed.object, id: redeemed.id });
  if (row.customer_id !== null) histories.push({ kind: "customer", id: row.customer_id });
  return histories;
}

/**
 * Names the histories that have become long, so that a schedule counts them before anybody asks: a length that is kept
 * would cost each redemption two writes, and a look each time 0.1 ms. Some hundred redemptions later than the first that
 * is too many it has been noticed as good as certainly; until then decisions count what is there slice by slice.
 */
export function noticeHistories(
  project_id: string,
  written: readonly (RedeemedColumns & { customer_id: string | null })[],
): readonly Sql[] {
  const asked = written.filter(() => randomInt(noticed_one_in) === 0).flatMap(historiesOf);
  if (asked.length === 0) return [];
  const isLong = (kind: LongHistory["kind"]) => sql`
    (asked.kind = ${kind} and exists (
       select from redemptions where redemptions.project_id = ${project_id} and ${column_of_history[kind]} = asked.id
        order by redemptions.created_at offset ${looked_at_max} limit 1))`;
  const statement = sql`
    insert into long_histories (project_id, id, kind, counted_to)
    select distinct ${project_id}, asked.id, asked.kind, timestamptz '-infinity'
      from unnest(${column(asked, "id")}::text[], ${column(asked, "kind")}::text[]) as asked (id, kind)
     where (${joined(history_kinds.map(isLong), "or")})
       and not exists (select from long_histories
                        where long_histories.project_id = ${project_id} and long_histories.id = asked.id)
     order by asked.id
    on conflict do nothing`;
  return [statement];
}

const is_in_rows = sql`long_histories.counted_to > '-infinity'`;

/**
 * Whether rows hold a history, up to whatever moment. Read under the key of the voucher or customer it stays so, since it is counted under
 * that: of one that has none a redemption moves none.
 */
export const isHeldInRows = ({ project_id, id }: { project_id: Sql; id: Sql }): Sql => sql`exists (
    select from long_histories
     where long_histories.project_id = ${project_id} and long_histories.id = ${id} and ${is_in_rows})`;

/** Histories that are known to be long and not counted to their end. */
export const findUncounted = (db: Queries, project_ids: readonly string[] | null, histories_max: number) =>
  db.many<LongHistory & { project_id: string }>(sql`-- every project: the schedule serves them all
    select long_histories.project_id, long_histories.id, long_histories.kind
      from long_histories
     where long_histories.counted_to < 'infinity'
       and ${isAmong(sql`long_histories.project_id`, project_ids)}
     order by long_histories.project_id, long_histories.id
     limit ${histories_max}`);

/**
 * Counts the next slice of a long history into its rows, and those who share its last moment; answers whether that was
 * all. Under the voucher's or customer's key, which every redemption and rollback of it holds, so that what is counted
 * changes only with its rows.
 */
export async function countOn(tx: Tx, project_id: string, history: LongHistory, slice_max: number): Promise<boolean> {
  const { kind, id } = history;
  await tx.run(sql`
    insert into long_histories (project_id, id, kind, counted_to) values (${project_id}, ${id}, ${kind}, '-infinity')
    on conflict do nothing`);
  const { counted_to } = await tx.one<{ counted_to: string }>(sql`
    select long_histories.counted_to::text as counted_to from long_histories
     where long_histories.project_id = ${project_id} and long_histories.id = ${id}`);
  const { until } = await tx.one<{ until: string }>(sql`
    select coalesce((
      select redemptions.created_at from redemptions
       where redemptions.project_id = ${project_id} and ${column_of_history[kind]} = ${id}
         and redemptions.created_at > ${counted_to}::timestamptz
       order by redemptions.created_at offset ${slice_max - 1} limit 1), 'infinity')::text as until`);
  await Promise.all([
    addDays(tx, project_id, history, { counted_to, until }),
    addUnits(tx, project_id, history, { counted_to, until }),
    tx.run(sql`
      update long_histories set counted_to = ${until}::timestamptz
       where long_histories.project_id = ${project_id} and long_histories.id = ${id}`),
  ]);
  return until === "infinity";
}

/** The moments between which a slice lies, the first without what was made in it. */
interface Slice {
  counted_to: string;
  until: string;
}

const isIn = ({ kind, id }: LongHistory, { counted_to, until }: Slice) => sql`
  ${column_of_history[kind]} = ${id}
  and redemptions.created_at > ${counted_to}::timestamptz and redemptions.created_at <= ${until}::timestamptz
  and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'`;

/** The counters that a redemption counts in, of those that a history keeps; of a redemption that has no such object none. */
const countersOf = ({ kind, id }: LongHistory) =>
  kind === "customer"
    ? sql`(values ${joined(
        [...each_redeemed, sql`redemptions.campaign_id`].map((one) => sql`(${one}, ${ofCustomer(id)}::text)`),
        ",",
      )})`
    : sql`(values (${column_of_history[kind]}, ${everybody}::text))`;

const countersByKey = (history: LongHistory) =>
  history.kind === "customer"
    ? countersOf(history)
    : sql`(values (${column_of_history[history.kind]}, ${everybody}::text),
                  (${column_of_history[history.kind]}, 'channel ' || (redemptions.channel ->> 'channel_id')))`;

const addDays = (tx: Tx, project_id: string, history: LongHistory, slice: Slice) =>
  tx.run(sql`
    insert into history_days (project_id, object_id, whose, day, slot, redemptions, orders_amount, discount_amount, gift_credits)
    select ${project_id}, counter.object_id, counter.whose, redemptions.day, 0, count(*),
           coalesce(sum(redemptions.order_amount), 0), sum(redemptions.discount_amount), coalesce(sum(redemptions.amount), 0)
      from redemptions
     cross join lateral ${countersByKey(history)} as counter (object_id, whose)
     where redemptions.project_id = ${project_id} and ${isIn(history, slice)} and counter.object_id is not null
     group by counter.object_id, counter.whose, redemptions.day
    ${added_to_days}`);

const addUnits = (tx: Tx, project_id: string, history: LongHistory, slice: Slice) =>
  tx.run(sql`
    insert into history_units (project_id, object_id, whose, product, sku, units)
    select ${project_id}, counter.object_id, counter.whose, item.product, item.sku, sum(item.units)
      from redemptions
     cross join lateral ${countersOf(history)} as counter (object_id, whose)
     cross join jsonb_to_recordset(redemptions.units) as item (product text, sku text, units bigint)
     where redemptions.project_id = ${project_id} and ${isIn(history, slice)} and counter.object_id is not null
     group by counter.object_id, counter.whose, item.product, item.sku
    ${added_to_units}`);
