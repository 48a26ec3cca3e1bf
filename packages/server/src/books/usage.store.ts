import { randomInt } from "node:crypto";
import type { Tx } from "../platform/db/database.js";
import { type Sql, sql } from "../platform/db/sql.js";
import { addedTo, date, insertInto, int8, table, text } from "../platform/db/table.js";
import { type Summed, summed } from "../platform/lists/summed.js";

export interface UsageMove {
  voucher_id: string;
  /** The limit, copied into the row that its check guards. */
  quantity: number | null;
  /** Redemptions added. */
  redeemed_quantity: number;
}

const voucher_usage = table<Summed<UsageMove, "redeemed_quantity">>("voucher_usage", {
  voucher_id: text,
  quantity: int8,
  redeemed_quantity: int8,
});
const added_to_usage = addedTo(voucher_usage, ["voucher_id"], ["redeemed_quantity"]);

/** Counts redemptions of vouchers, under the vouchers' keys. The check of the table is the last wall. */
export function moveUsage(project_id: string, moves: readonly UsageMove[]): readonly Sql[] {
  const sums = summed(moves, ["voucher_id"], ["redeemed_quantity"]);
  return [sql`${insertInto(voucher_usage, project_id, sums)} ${added_to_usage}`];
}

/** Gives back one redemption of each voucher. An update, not an upsert: the checks look at a proposed row as well. */
export const returnUsage = (project_id: string, voucher_ids: readonly string[]): readonly Sql[] => [
  sql`
    update voucher_usage
       set redeemed_quantity = voucher_usage.redeemed_quantity - given.redemptions
      from (select given.voucher_id, count(*) as redemptions
              from unnest(${voucher_ids}::text[]) as given (voucher_id) group by given.voucher_id) as given
     where voucher_usage.project_id = ${project_id} and voucher_usage.voucher_id = given.voucher_id`,
];

/**
 * Forgets how often vouchers were redeemed and who has locked them, since they are gone for good. A card's balance and
 * entries stay: they name it by an id that nobody else will ever have.
 */
export async function forgetUses(tx: Tx, project_id: string, voucher_ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from voucher_usage
     where voucher_usage.project_id = ${project_id} and voucher_usage.voucher_id = any(${voucher_ids}::text[])`);
  await tx.run(sql`
    delete from history_days
     where history_days.project_id = ${project_id} and history_days.object_id = any(${voucher_ids}::text[])`);
  await tx.run(sql`
    delete from history_units
     where history_units.project_id = ${project_id} and history_units.object_id = any(${voucher_ids}::text[])`);
  await tx.run(sql`
    delete from long_histories
     where long_histories.project_id = ${project_id} and long_histories.id = any(${voucher_ids}::text[])`);
  await tx.run(sql`
    delete from voucher_session_sums
     where voucher_session_sums.project_id = ${project_id}
       and voucher_session_sums.voucher_id = any(${voucher_ids}::text[])`);
  await tx.run(sql`
    delete from voucher_sessions
     where voucher_sessions.project_id = ${project_id} and voucher_sessions.voucher_id = any(${voucher_ids}::text[])`);
}

/** What a redemption adds to its campaign's and its tier's day; all negative when it is rolled back. */
export interface DayMove {
  object_id: string;
  day: string;
  redemptions: number;
  orders_amount: number;
  discount_amount: number;
  gift_credits: number;
  units: number;
}

const day_amounts = ["redemptions", "orders_amount", "discount_amount", "gift_credits", "units"] as const;

/** Rows that a campaign's counters of one day are spread over. */
export const slots = 16;

const usage_days = table<Summed<DayMove, (typeof day_amounts)[number]> & { slot: number }>("usage_days", {
  object_id: text,
  day: date,
  slot: int8,
  redemptions: int8,
  orders_amount: int8,
  discount_amount: int8,
  gift_credits: int8,
  units: int8,
});
const added_to_days = addedTo(usage_days, ["object_id", "day", "slot"], day_amounts);

/**
 * Moves the counters of campaigns and tiers (architecture.md §4). The last write of a transaction: these rows are shared
 * by all vouchers of a campaign and held until the commit. A transaction uses one slot of each; which one says nothing.
 */
export function moveDays(project_id: string, moves: readonly DayMove[]): readonly Sql[] {
  const slot = randomInt(slots);
  // In their order, since these rows are locked by being written: two transactions meet them in the same one.
  const sums = summed(moves, ["object_id", "day"], day_amounts);
  return [sql`${insertInto(usage_days, project_id, sums, { slot })} ${added_to_days}`];
}
