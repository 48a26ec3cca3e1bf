import type { OrderPart } from "@guerdon/engine";
import type { Instant } from "../platform/clock.js";
import type { Queries, Tx } from "../platform/database.js";
import { column, jsonColumn, sql } from "../platform/sql.js";
import type { RedemptionChannel } from "../terms/index.js";
import type { ItemUnits } from "./units.store.js";

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
  channel: RedemptionChannel;
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

/** A {@link RedemptionRow} as a statement selects it. */
export const redemption_fields = sql`
  redemptions.id, redemptions.object, redemptions.result, redemptions.status, redemptions.voucher_id,
  redemptions.promotion_tier_id, redemptions.campaign_id, redemptions.parent_id, redemptions.redemption_id,
  redemptions.customer_id, redemptions.tracking_id, redemptions.order_id, redemptions.session_key, redemptions.amount,
  redemptions.order_amount, redemptions.discount_amount, redemptions.currency, redemptions.day, redemptions.parts,
  redemptions.order_after, redemptions.voucher_after, redemptions.metadata, redemptions.channel, redemptions.reason,
  redemptions.failure_code, redemptions.failure_message, redemptions.rollback_order_mode, redemptions.created_at,
  redemptions.units`;

export const findRedemption = (db: Queries, project_id: string, id: string) =>
  db.maybe<RedemptionRow>(sql`
    select ${redemption_fields} from redemptions where redemptions.project_id = ${project_id} and redemptions.id = ${id}`);

/** Children in the order they were applied: ids grow with time. */
export const findChildren = (db: Queries, project_id: string, parent_id: string) =>
  db.many<RedemptionRow>(sql`
    select ${redemption_fields} from redemptions
     where redemptions.project_id = ${project_id} and redemptions.parent_id = ${parent_id}
       and redemptions.object = 'redemption'
     order by redemptions.id`);

/** Successful rollbacks of redemptions, for their `related_redemptions`. */
export interface RollbackRef {
  redemption_id: string;
  id: string;
  created_at: Instant;
  rollback_order_mode: string | null;
}

export const findRollbacks = (db: Queries, project_id: string, redemption_ids: readonly string[]) =>
  db.many<RollbackRef>(sql`
    select redemptions.redemption_id, redemptions.id, redemptions.created_at, redemptions.rollback_order_mode
      from redemptions
     where redemptions.project_id = ${project_id} and redemptions.redemption_id = any(${redemption_ids}::text[])
       and redemptions.object = 'redemption_rollback' and redemptions.result = 'SUCCESS'
     order by redemptions.id`);

/** Marks redemptions as rolled back. One that is so already was missed by the decision: that is a bug of ours. */
export async function markRolledBack(tx: Tx, project_id: string, ids: readonly string[]): Promise<void> {
  const marked = await tx.run(sql`
    update redemptions set status = 'ROLLED_BACK'
     where redemptions.project_id = ${project_id} and redemptions.id = any(${ids}::text[])
       and redemptions.status = 'SUCCEEDED'`);
  if (marked !== ids.length) throw new Error(`${marked} of ${ids.length} redemptions could still be rolled back`);
}
