import type { RedemptionRow } from "../../deciding/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/database.js";
import { all, type Between, isBetween, orderBy, type Page } from "../../platform/http/lists.js";
import { type Sql, sql } from "../../platform/sql.js";

const fields = sql`
  redemptions.id, redemptions.object, redemptions.result, redemptions.status, redemptions.voucher_id,
  redemptions.promotion_tier_id, redemptions.campaign_id, redemptions.parent_id, redemptions.redemption_id,
  redemptions.customer_id, redemptions.tracking_id, redemptions.order_id, redemptions.session_key, redemptions.amount,
  redemptions.order_amount, redemptions.discount_amount, redemptions.currency, redemptions.day, redemptions.parts,
  redemptions.order_after, redemptions.voucher_after, redemptions.metadata, redemptions.channel, redemptions.reason,
  redemptions.failure_code, redemptions.failure_message, redemptions.rollback_order_mode, redemptions.created_at,
  redemptions.units`;

export const findRedemption = (db: Queries, project_id: string, id: string) =>
  db.maybe<RedemptionRow>(sql`
    select ${fields} from redemptions where redemptions.project_id = ${project_id} and redemptions.id = ${id}`);

/** Children in the order they were applied: ids grow with time. */
export const findChildren = (db: Queries, project_id: string, parent_id: string) =>
  db.many<RedemptionRow>(sql`
    select ${fields} from redemptions
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

/** Marks redemptions as rolled back; answers how many were not yet. */
export const markRolledBack = (tx: Tx, project_id: string, ids: readonly string[]) =>
  tx.run(sql`
    update redemptions set status = 'ROLLED_BACK'
     where redemptions.project_id = ${project_id} and redemptions.id = any(${ids}::text[])
       and redemptions.status = 'SUCCEEDED'`);

export interface RedemptionFilter {
  results: readonly string[];
  campaign_id?: string;
  customer_id?: string;
  voucher_id?: string;
  created_at: Between;
}

export type RedemptionOrder = "created_at" | "-created_at" | "id" | "-id";

export async function listRedemptions(
  db: Queries,
  project_id: string,
  filter: RedemptionFilter,
  order: RedemptionOrder,
  page: Page,
): Promise<{ rows: RedemptionRow[]; total: number }> {
  const conditions: Sql[] = isBetween(sql`redemptions.created_at`, filter.created_at);
  if (filter.results.length > 0) conditions.push(sql`redemptions.result = any(${filter.results}::text[])`);
  if (filter.campaign_id !== undefined) conditions.push(sql`redemptions.campaign_id = ${filter.campaign_id}`);
  if (filter.customer_id !== undefined) conditions.push(sql`redemptions.customer_id = ${filter.customer_id}`);
  if (filter.voucher_id !== undefined) conditions.push(sql`redemptions.voucher_id = ${filter.voucher_id}`);
  const columns = { created_at: sql`redemptions.created_at`, id: sql`redemptions.id` };
  const [rows, { total }] = await Promise.all([
    db.many<RedemptionRow>(sql`
      select ${fields} from redemptions
       where redemptions.project_id = ${project_id} and ${all(conditions)}
       order by ${orderBy(order, columns, sql`redemptions.id`)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`
      select count(*) as total from redemptions where redemptions.project_id = ${project_id} and ${all(conditions)}`),
  ]);
  return { rows, total };
}
