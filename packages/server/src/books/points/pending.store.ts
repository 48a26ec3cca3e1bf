import type { Instant } from "../../platform/clock.js";
import type { Database, Queries } from "../../platform/db/database.js";
import { column, exactly, type Sql, sql } from "../../platform/db/sql.js";
import { date, insertInto, int8, jsonb, table, text, timestamptz } from "../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";

type PendingStatus = "PENDING" | "ACTIVATED" | "CANCELED";

/** Points of one order by one rule, until they are a card's, or nobody's (loyalty.md §5). */
export interface PendingPoints {
  id: string;
  voucher_id: string;
  campaign_id: string;
  customer_id: string;
  order_id: string;
  /** 1 at least. */
  points: number;
  /** The project's day that they activate with, `YYYY-MM-DD`. */
  activates_on: string;
  status: PendingStatus;
  /** The rule's own, as they were when the order was paid; null: those of the program. */
  expiration_rules: Record<string, unknown> | null;
  /** What led to them. */
  details: Record<string, unknown>;
  event_id: string;
  earning_rule_id: string;
  created_at: Instant;
  updated_at: Instant | null;
}

const pending_points = table<PendingPoints>("pending_points", {
  id: text,
  voucher_id: text,
  campaign_id: text,
  customer_id: text,
  order_id: text,
  points: int8,
  activates_on: date,
  status: text,
  expiration_rules: jsonb,
  details: jsonb,
  event_id: text,
  earning_rule_id: text,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const { fields } = pending_points;

/** What pends on a card, as a column `pending` beside the row of `vouchers`; null where the voucher is none. */
export const pending_of_voucher: Sql = sql`
  case when vouchers.type = 'LOYALTY_CARD' then (
    select coalesce(sum(pending_points.points), 0) from pending_points
     where pending_points.project_id = vouchers.project_id and pending_points.voucher_id = vouchers.id
       and pending_points.status = 'PENDING') end as pending`;

export const insertPending = (project_id: string, rows: readonly PendingPoints[]): readonly Sql[] => [
  insertInto(pending_points, project_id, rows),
];

/** Writes what has become of pending points, under the keys of their cards. Whoever decided on others was wrong, and writes nothing. */
export function movePending(project_id: string, moved: readonly PendingPoints[]): readonly Sql[] {
  const moving = sql`
    update pending_points set points = moved.points, status = moved.status, updated_at = moved.updated_at
      from unnest(${column(moved, "id")}::text[], ${column(moved, "points")}::bigint[], ${column(moved, "status")}::text[],
                  ${moved.map(({ updated_at }) => new Date(updated_at ?? 0).toISOString())}::timestamptz[])
             as moved (id, points, status, updated_at)
     where pending_points.project_id = ${project_id} and pending_points.id = moved.id
       and pending_points.status = 'PENDING'`;
  return [exactly(moved.length, "points that were pending still", moving)];
}

export const findPending = (db: Queries, project_id: string, voucher_id: string, id: string) =>
  db.maybe<PendingPoints>(sql`
    select ${fields} from pending_points
     where pending_points.project_id = ${project_id} and pending_points.id = ${id}
       and pending_points.voucher_id = ${voucher_id}`);

/** Those that pend for orders, in the order in which they came. */
export const findPendingOfOrders = (db: Queries, project_id: string, order_ids: readonly string[]) =>
  db.many<PendingPoints>(sql`
    select ${fields} from pending_points
     where pending_points.project_id = ${project_id} and pending_points.order_id = any(${order_ids}::text[])
       and pending_points.status = 'PENDING'
     order by pending_points.id`);

/** The first of those of cards that activate with a day, or should have before it: card by card, of each the first first. */
export const findDuePending = (
  db: Queries,
  project_id: string,
  voucher_ids: readonly string[],
  { day, count_max }: { day: string; count_max: number },
) =>
  db.many<PendingPoints>(sql`
    select ${fields} from pending_points
     where pending_points.project_id = ${project_id} and pending_points.voucher_id = any(${voucher_ids}::text[])
       and pending_points.status = 'PENDING' and pending_points.activates_on <= ${day}::date
     order by pending_points.voucher_id, pending_points.activates_on, pending_points.id
     limit ${count_max}`);

/** The first day with which any activate. */
export const firstPendingDay = async (db: Queries, project_id: string): Promise<string | null> =>
  (
    await db.maybe<{ day: string }>(sql`
      select pending_points.activates_on as day from pending_points
       where pending_points.project_id = ${project_id} and pending_points.status = 'PENDING'
       order by pending_points.activates_on
       limit 1`)
  )?.day ?? null;

/** Cards with some that are due by a day, in the order of their ids. */
export const findCardsWithDuePending = async (
  db: Queries,
  project_id: string,
  { day, after_id, cards_max }: { day: string; after_id: string; cards_max: number },
): Promise<string[]> =>
  (
    await db.many<{ voucher_id: string }>(sql`
      select distinct pending_points.voucher_id from pending_points
       where pending_points.project_id = ${project_id} and pending_points.status = 'PENDING'
         and pending_points.activates_on <= ${day}::date and pending_points.voucher_id > ${after_id}
       order by pending_points.voucher_id
       limit ${cards_max}`)
  ).map(({ voucher_id }) => voucher_id);

/** Those that pend on a card, or in a whole program; ids grow with time. */
export const listPending = (
  db: Database,
  project_id: string,
  of: { voucher_id: string } | { campaign_id: string },
  order: "id" | "-id",
  page: Page,
): Promise<Listed<PendingPoints>> =>
  readList<PendingPoints>(
    db,
    project_id,
    { table: sql`pending_points`, fields },
    {
      conditions: [
        sql`pending_points.status = 'PENDING'`,
        "voucher_id" in of
          ? sql`pending_points.voucher_id = ${of.voucher_id}`
          : sql`pending_points.campaign_id = ${of.campaign_id}`,
      ],
      order: orderOf(order, { id: { keys: [sql`pending_points.id`] } }),
      page,
    },
  );
