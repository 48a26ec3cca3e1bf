import { randomInt } from "node:crypto";
import type { OrderPart } from "@guerdon/engine";
import type { Instant } from "../platform/clock.js";
import type { Queries, Tx } from "../platform/database.js";
import { column, jsonColumn, sql } from "../platform/sql.js";
import type { ItemUnits } from "./unit-usage.store.js";

/** A redemption, a failed one, or a rollback as stored. Money in minor units. */
export interface RedemptionRow {
  id: string;
  object: "redemption" | "redemption_rollback";
  result: "SUCCESS" | "FAILURE";
  status: "SUCCEEDED" | "FAILED" | "ROLLED_BACK";
  voucher_id: string | null;
  promotion_tier_id: string | null;
  campaign_id: string | null;
  parent_id: string | null;
  redemption_id: string | null;
  customer_id: string | null;
  tracking_id: string | null;
  order_id: string | null;
  session_key: string | null;
  amount: number | null;
  order_amount: number | null;
  discount_amount: number;
  currency: string;
  /** The project's local day whose counters it moved, `YYYY-MM-DD`. */
  day: string;
  /** What was done to the order; undone by a rollback. */
  parts: OrderPart | null;
  /** Units discounted at item level, one entry an item; null for none. */
  units: ItemUnits[] | null;
  /** The order's fields as this step left them, as the API shows them. */
  order_after: Record<string, unknown> | null;
  voucher_after: VoucherAfter | null;
  metadata: Record<string, unknown> | null;
  channel: { channel_id: string; channel_type: "API" | "USER" | "AUTO_REDEEM" };
  reason: string | null;
  failure_code: string | null;
  failure_message: string | null;
  rollback_order_mode: string | null;
  created_at: Instant;
}

/** What a redemption or rollback left of a voucher. */
export interface VoucherAfter {
  redeemed_quantity: number;
  balance?: number;
  redeemed?: number;
}

/** Writes redemptions of any kind; they are never changed but for the status that a rollback gives them. */
export async function insertRedemptions(
  tx: Tx,
  project_id: string,
  redemptions: readonly RedemptionRow[],
): Promise<void> {
  if (redemptions.length === 0) return;
  const rows = redemptions.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() }));
  await tx.run(sql`
    insert into redemptions (project_id, id, object, result, status, voucher_id, promotion_tier_id, campaign_id,
      parent_id, redemption_id, customer_id, tracking_id, order_id, session_key, amount, order_amount, discount_amount,
      currency, day, parts, order_after, voucher_after, metadata, channel, reason, failure_code, failure_message,
      rollback_order_mode, created_at, units)
    select ${project_id}, redemption.*
      from unnest(${column(rows, "id")}::text[], ${column(rows, "object")}::text[], ${column(rows, "result")}::text[],
        ${column(rows, "status")}::text[], ${column(rows, "voucher_id")}::text[],
        ${column(rows, "promotion_tier_id")}::text[], ${column(rows, "campaign_id")}::text[],
        ${column(rows, "parent_id")}::text[], ${column(rows, "redemption_id")}::text[],
        ${column(rows, "customer_id")}::text[], ${column(rows, "tracking_id")}::text[],
        ${column(rows, "order_id")}::text[], ${column(rows, "session_key")}::text[], ${column(rows, "amount")}::bigint[],
        ${column(rows, "order_amount")}::bigint[], ${column(rows, "discount_amount")}::bigint[],
        ${column(rows, "currency")}::text[], ${column(rows, "day")}::date[], ${jsonColumn(rows, "parts")}::jsonb[],
        ${jsonColumn(rows, "order_after")}::jsonb[], ${jsonColumn(rows, "voucher_after")}::jsonb[],
        ${jsonColumn(rows, "metadata")}::jsonb[], ${jsonColumn(rows, "channel")}::jsonb[],
        ${column(rows, "reason")}::text[], ${column(rows, "failure_code")}::text[],
        ${column(rows, "failure_message")}::text[], ${column(rows, "rollback_order_mode")}::text[],
        ${column(rows, "created_at")}::timestamptz[], ${jsonColumn(rows, "units")}::jsonb[]) as redemption`);
}

export interface UsageMove {
  voucher_id: string;
  /** The limit, copied into the row that its check guards. */
  quantity: number | null;
  /** Redemptions added. */
  redemptions: number;
}

/** Counts redemptions of vouchers, under the vouchers' keys. The check of the table is the last wall. */
export async function moveUsage(tx: Tx, project_id: string, moves: readonly UsageMove[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.run(sql`
    insert into voucher_usage (project_id, voucher_id, quantity, redeemed_quantity)
    select ${project_id}, move.voucher_id, max(move.quantity), sum(move.redemptions)
      from unnest(${column(moves, "voucher_id")}::text[], ${column(moves, "quantity")}::bigint[],
                  ${column(moves, "redemptions")}::bigint[]) as move (voucher_id, quantity, redemptions)
     group by move.voucher_id
    on conflict (project_id, voucher_id) do update
       set redeemed_quantity = voucher_usage.redeemed_quantity + excluded.redeemed_quantity`);
}

/** Gives back one redemption of each voucher. An update, not an upsert: the checks look at a proposed row as well. */
export async function returnUsage(tx: Tx, project_id: string, voucher_ids: readonly string[]): Promise<void> {
  if (voucher_ids.length === 0) return;
  await tx.run(sql`
    update voucher_usage
       set redeemed_quantity = voucher_usage.redeemed_quantity - given.redemptions
      from (select given.voucher_id, count(*) as redemptions
              from unnest(${voucher_ids}::text[]) as given (voucher_id) group by given.voucher_id) as given
     where voucher_usage.project_id = ${project_id} and voucher_usage.voucher_id = given.voucher_id`);
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

/** Rows that a campaign's counters of one day are spread over. */
const slots = 16;

/**
 * Moves the counters of campaigns and tiers (architecture.md §4). The last write of a transaction: these rows are shared
 * by all vouchers of a campaign and held until the commit. A transaction uses one slot of each; which one says nothing.
 */
export async function moveDays(tx: Tx, project_id: string, moves: readonly DayMove[]): Promise<void> {
  if (moves.length === 0) return;
  const slot = randomInt(slots);
  // Sorted, since these rows are locked by being written: two transactions meet them in the same order.
  await tx.run(sql`
    insert into usage_days (project_id, object_id, day, slot, redemptions, orders_amount, discount_amount, gift_credits, units)
    select ${project_id}, move.object_id, move.day, ${slot}, sum(move.redemptions), sum(move.orders_amount),
           sum(move.discount_amount), sum(move.gift_credits), sum(move.units)
      from unnest(${column(moves, "object_id")}::text[], ${column(moves, "day")}::date[],
                  ${column(moves, "redemptions")}::bigint[], ${column(moves, "orders_amount")}::bigint[],
                  ${column(moves, "discount_amount")}::bigint[], ${column(moves, "gift_credits")}::bigint[],
                  ${column(moves, "units")}::bigint[])
             as move (object_id, day, redemptions, orders_amount, discount_amount, gift_credits, units)
     group by move.object_id, move.day
     order by move.object_id, move.day
    on conflict (project_id, object_id, day, slot) do update
       set redemptions = usage_days.redemptions + excluded.redemptions,
           orders_amount = usage_days.orders_amount + excluded.orders_amount,
           discount_amount = usage_days.discount_amount + excluded.discount_amount,
           gift_credits = usage_days.gift_credits + excluded.gift_credits,
           units = usage_days.units + excluded.units`);
}

/** Live locks on vouchers: what keys other than one's own hold (redemption.md §12). */
export interface VoucherSession {
  voucher_id: string;
  session_key: string;
  credits: number;
}

export const findLiveSessions = (db: Queries, project_id: string, voucher_ids: readonly string[], now: string) =>
  db.many<VoucherSession>(sql`
    select voucher_sessions.voucher_id, voucher_sessions.session_key, voucher_sessions.credits
      from voucher_sessions
     where voucher_sessions.project_id = ${project_id}
       and voucher_sessions.voucher_id = any(${voucher_ids}::text[])
       and voucher_sessions.expires_at > ${now}`);

export async function saveSessions(
  tx: Tx,
  project_id: string,
  sessions: readonly (VoucherSession & { expires_at: string })[],
): Promise<void> {
  if (sessions.length === 0) return;
  await tx.run(sql`
    insert into voucher_sessions (project_id, voucher_id, session_key, credits, expires_at)
    select ${project_id}, session.*
      from unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[],
                  ${column(sessions, "credits")}::bigint[], ${column(sessions, "expires_at")}::timestamptz[]) as session
    on conflict (project_id, voucher_id, session_key) do update
       set credits = excluded.credits, expires_at = excluded.expires_at`);
}

export async function dropSessions(
  tx: Tx,
  project_id: string,
  sessions: readonly { voucher_id: string; session_key: string }[],
): Promise<number> {
  if (sessions.length === 0) return 0;
  return tx.run(sql`
    delete from voucher_sessions
     using unnest(${column(sessions, "voucher_id")}::text[], ${column(sessions, "session_key")}::text[])
             as dropped (voucher_id, session_key)
     where voucher_sessions.project_id = ${project_id}
       and voucher_sessions.voucher_id = dropped.voucher_id
       and voucher_sessions.session_key = dropped.session_key`);
}

export const readVersion = async (db: Queries, project_id: string) =>
  (
    await db.one<{ version: number }>(
      sql`select project_versions.version from project_versions where project_versions.project_id = ${project_id}`,
    )
  ).version;
