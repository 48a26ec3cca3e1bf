import { type RedemptionRow, redemption_fields } from "../../books/index.js";
import type { Queries } from "../../platform/database.js";
import { all, type Between, isBetween, orderBy, type Page } from "../../platform/http/lists.js";
import { type Sql, sql } from "../../platform/sql.js";

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
      select ${redemption_fields} from redemptions
       where redemptions.project_id = ${project_id} and ${all(conditions)}
       order by ${orderBy(order, columns, sql`redemptions.id`)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`
      select count(*) as total from redemptions where redemptions.project_id = ${project_id} and ${all(conditions)}`),
  ]);
  return { rows, total };
}
