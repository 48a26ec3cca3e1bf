import type { Queries } from "../../platform/database.js";
import { all, type Between, isBetween, orderBy, type Page } from "../../platform/http/lists.js";
import { type Sql, sql } from "../../platform/sql.js";
import type { VoucherRow } from "./voucher.js";
import type { VoucherOrder } from "./voucher.schemas.js";
import { voucher_fields, voucher_sources } from "./voucher.store.js";

export interface VoucherFilter {
  /** Names and ids; every one given must hold. */
  category?: string;
  campaign?: string;
  campaign_id?: string;
  /** Id or source id of the holder. */
  customer?: string;
  code_key?: string;
  ids?: readonly string[];
  /** Those alone that have a holder. */
  is_published?: true;
  created_at: Between;
  updated_at: Between;
}

/** One page of the live vouchers that pass the filter, and how many pass it in all. */
export async function listVouchers(
  db: Queries,
  project_id: string,
  filter: VoucherFilter,
  order: VoucherOrder,
  page: Page,
): Promise<{ vouchers: VoucherRow[]; total: number }> {
  const conditions = all(conditionsOf(project_id, filter));
  const [vouchers, { total }] = await Promise.all([
    db.many<VoucherRow>(sql`
      select ${voucher_fields} from ${voucher_sources}
       where vouchers.project_id = ${project_id} and ${conditions}
       order by ${ordered(order)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`
      select count(*) as total from vouchers where vouchers.project_id = ${project_id} and ${conditions}`),
  ]);
  return { vouchers, total };
}

function conditionsOf(project_id: string, filter: VoucherFilter): Sql[] {
  const { category, campaign, campaign_id, customer, code_key, ids, is_published } = filter;
  const conditions: Sql[] = [
    sql`vouchers.deleted_at is null`,
    ...isBetween(sql`vouchers.created_at`, filter.created_at),
    ...isBetween(sql`vouchers.updated_at`, filter.updated_at),
  ];
  if (category !== undefined) {
    conditions.push(sql`vouchers.category_id = any(array(
      select categories.id from categories where categories.project_id = ${project_id} and categories.name = ${category}))`);
  }
  if (campaign !== undefined) {
    conditions.push(sql`vouchers.campaign_id = any(array(
      select campaigns.id from campaigns
       where campaigns.project_id = ${project_id} and campaigns.name = ${campaign} and campaigns.deleted_at is null))`);
  }
  if (campaign_id !== undefined) conditions.push(sql`vouchers.campaign_id = ${campaign_id}`);
  if (customer !== undefined) {
    conditions.push(sql`vouchers.holder_id = any(array(
      select customers.id from customers
       where customers.project_id = ${project_id} and (customers.id = ${customer} or customers.source_id = ${customer})))`);
  }
  if (code_key !== undefined) conditions.push(sql`vouchers.code_key = ${code_key}`);
  if (ids !== undefined) conditions.push(sql`vouchers.id = any(${ids}::text[])`);
  if (is_published) conditions.push(sql`vouchers.holder_id is not null`);
  return conditions;
}

/** Written as the indexes are, so that a page of a million vouchers is read from one and not sorted. */
function ordered(order: VoucherOrder): Sql {
  switch (order) {
    case "created_at":
      return sql`vouchers.created_at, vouchers.id`;
    case "-created_at":
      return sql`vouchers.created_at desc, vouchers.id desc`;
    case "code":
      return sql`vouchers.code_key`;
    case "-code":
      return sql`vouchers.code_key desc`;
    default:
      return orderBy(order, { updated_at: sql`coalesce(vouchers.updated_at, vouchers.created_at)` }, sql`vouchers.id`);
  }
}
