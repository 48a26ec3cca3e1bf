import type { Day } from "@guerdon/engine";
import type { Queries, Tx } from "../../platform/db/database.js";
import { column, sql } from "../../platform/db/sql.js";
import type { LedgerEntry } from "../ledger.store.js";
import { localDay } from "../local-day.js";

/** What a card collects: whatever is added to it but what a redemption gives back (loyalty.md §8.2). */
const collecting: ReadonlySet<string> = new Set([
  "POINTS_ACCRUAL",
  "POINTS_ADDITION",
  "POINTS_TRANSFER_IN",
  "PENDING_POINTS_ACTIVATION",
]);

export const isCollected = ({ type }: Pick<LedgerEntry, "type">): boolean => collecting.has(type);

/** Points that a card collected in a month of the project's. */
interface Collected {
  voucher_id: string;
  /** Its first day. */
  month: Day;
  points: number;
}

/**
 * Counts what entries collect, some of them, under the cards' keys. Months are the engine's: PostgreSQL reads some names of zones the other way
 * round, and does not know others.
 */
export async function collectPoints(
  tx: Tx,
  project_id: string,
  entries: readonly Pick<LedgerEntry, "voucher_id" | "type" | "amount" | "created_at">[],
): Promise<void> {
  const adding = entries.filter(isCollected);
  const { timezone } = await tx.one<{ timezone: string }>(
    sql`select projects.timezone from projects where projects.id = ${project_id}`,
  );
  const sums = new Map<string, Collected>();
  for (const { voucher_id, amount, created_at } of adding) {
    const month = monthOf(localDay(Date.parse(created_at), timezone));
    const sum = sums.get(`${voucher_id} ${month}`) ?? { voucher_id, month, points: 0 };
    sums.set(`${voucher_id} ${month}`, { ...sum, points: sum.points + amount });
  }
  const rows = [...sums.values()];
  await tx.run(sql`
    insert into points_collected (project_id, voucher_id, month, points)
    select ${project_id}, made.voucher_id, made.month, made.points
      from unnest(${column(rows, "voucher_id")}::text[], ${column(rows, "month")}::date[], ${column(rows, "points")}::bigint[])
        as made (voucher_id, month, points)
        on conflict (project_id, voucher_id, month) do update set points = points_collected.points + excluded.points`);
}

/** The first day of the month that holds the day. */
export const monthOf = (day: Day): Day => `${day.slice(0, 8)}01`;

/** What cards have collected in the months from the one of that day on. */
export const findCollected = (db: Queries, project_id: string, voucher_ids: readonly string[], since: Day) =>
  db.many<Collected>(sql`
    select points_collected.voucher_id, points_collected.month, points_collected.points from points_collected
     where points_collected.project_id = ${project_id}
       and points_collected.voucher_id = any(${voucher_ids}::text[])
       and points_collected.month >= ${monthOf(since)}::date`);
