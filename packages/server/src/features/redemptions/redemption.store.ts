import { type RedemptionRow, redemption_fields } from "../../books/index.js";
import type { Database } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { type Between, isBetween } from "../../platform/http/lists.js";
import { type Listed, orderOf, type Page, readList, type SortKey } from "../../platform/listing/index.js";
import type { RedemptionOrder } from "./redemption.schemas.js";

interface RedemptionFilter {
  results: readonly string[];
  campaign_id?: string;
  customer_id?: string;
  voucher_id?: string;
  created_at: Between;
  /** What `filters` says. */
  filters?: Sql | null;
}

export function listRedemptions(
  db: Database,
  project_id: string,
  filter: RedemptionFilter,
  order: RedemptionOrder,
  page: Page,
): Promise<Listed<RedemptionRow>> {
  const { results, campaign_id, customer_id, voucher_id, filters } = filter;
  const conditions: Sql[] = isBetween(sql`redemptions.created_at`, filter.created_at);
  if (results.length > 0) conditions.push(sql`redemptions.result = any(${results}::text[])`);
  if (campaign_id !== undefined) conditions.push(sql`redemptions.campaign_id = ${campaign_id}`);
  if (customer_id !== undefined) conditions.push(sql`redemptions.customer_id = ${customer_id}`);
  if (voucher_id !== undefined) conditions.push(sql`redemptions.voucher_id = ${voucher_id}`);
  if (filters) conditions.push(filters);
  return readList<RedemptionRow>(
    db,
    project_id,
    { table: sql`redemptions`, fields: redemption_fields },
    { conditions, order: orderOf(order, sortKeys(project_id)), page },
  );
}

/** Only time has an index that keeps all redemptions in order: the others sort what the filter leaves. */
export const sortKeys = (
  project_id: string,
): Record<"created_at" | "id" | "voucher_code" | "tracking_id" | "customer_id", SortKey> => {
  const id = sql`redemptions.id`;
  const made_at = [sql`redemptions.created_at`, id];
  const code = sql`(select vouchers.code_key from vouchers
                     where vouchers.project_id = ${project_id} and vouchers.id = redemptions.voucher_id)`;
  return {
    created_at: { keys: made_at },
    // What failed and what was rolled back have ids that begin otherwise: only time tells their order (platform.md §11.6).
    id: { keys: made_at },
    voucher_code: { keys: [code, id], nullable: true },
    tracking_id: { keys: [sql`redemptions.tracking_id`, id], nullable: true },
    customer_id: { keys: [sql`redemptions.customer_id`, id], nullable: true },
  };
};
