import type { Lot, OrderPart } from "@guerdon/engine";
import type { Instant } from "../platform/clock.js";
import type { Queries } from "../platform/db/database.js";
import { exactly, type Sql, sql } from "../platform/db/sql.js";
import {
  type Columns,
  date,
  insertInto,
  int8,
  json,
  jsonb,
  metadata,
  table,
  text,
  timestamptz,
} from "../platform/db/table.js";
import type { RedemptionChannel } from "../terms/index.js";
import { type RedeemedColumns, redeemed_columns } from "./redeemed.js";
import type { ItemUnits } from "./units.store.js";

/** A redemption, a failed one, or a rollback as stored. Money in minor units. */
export interface RedemptionRow extends RedeemedColumns {
  id: string;
  object: "redemption" | "redemption_rollback";
  result: "SUCCESS" | "FAILURE";
  status: "SUCCEEDED" | "FAILED" | "ROLLED_BACK";
  /** Of what was asked for as a stack: on each of its tiers and on their parent. */
  promotion_stack_id: string | null;
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
  /** Which state of the order it left; the state itself is kept with the orders. */
  order_version: number | null;
  /** What a child of a stack shows of the order: no state of a stored one. */
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
  /** The lot that expires next; none where the rest of the points does not. */
  lots?: readonly Lot[];
}

const columns: Columns<RedemptionRow> = {
  id: text,
  object: text,
  result: text,
  status: text,
  ...redeemed_columns,
  promotion_stack_id: text,
  campaign_id: text,
  parent_id: text,
  redemption_id: text,
  customer_id: text,
  tracking_id: text,
  order_id: text,
  session_key: text,
  amount: int8,
  order_amount: int8,
  discount_amount: int8,
  currency: text,
  day: date,
  parts: json,
  units: jsonb,
  order_version: int8,
  order_after: json,
  voucher_after: json,
  metadata,
  channel: jsonb,
  reason: text,
  failure_code: text,
  failure_message: text,
  rollback_order_mode: text,
  created_at: timestamptz,
};

/** Of what is redeemed by one key in one moment. */
const mostly_alike = [
  "object",
  "result",
  "status",
  "promotion_tier_id",
  "promotion_stack_id",
  "parent_id",
  "redemption_id",
  "amount",
  "currency",
  "day",
  "units",
  "order_after",
  "channel",
  "reason",
  "failure_code",
  "failure_message",
  "rollback_order_mode",
] as const;

const redemptions_table = table("redemptions", columns, mostly_alike);

/** A {@link RedemptionRow} as a statement selects it. */
export const redemption_fields = redemptions_table.fields;

/** Writes redemptions of any kind; they are never changed but for the status that a rollback gives them. */
export const insertRedemptions = (project_id: string, redemptions: readonly RedemptionRow[]): Sql =>
  insertInto(redemptions_table, project_id, redemptions);

export const findRedemption = (db: Queries, project_id: string, id: string) =>
  db.maybe<RedemptionRow>(sql`
    select ${redemption_fields} from redemptions where redemptions.project_id = ${project_id} and redemptions.id = ${id}`);

export const findRedemptionsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<RedemptionRow>(sql`
    select ${redemption_fields} from redemptions
     where redemptions.project_id = ${project_id} and redemptions.id = any(${ids}::text[])`);

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
export const markRolledBack = (project_id: string, ids: readonly string[]): readonly Sql[] => [
  exactly(
    ids.length,
    "redemptions that could still be rolled back",
    sql`
    update redemptions set status = 'ROLLED_BACK'
     where redemptions.project_id = ${project_id} and redemptions.id = any(${ids}::text[])
       and redemptions.status = 'SUCCEEDED'`,
  ),
];
