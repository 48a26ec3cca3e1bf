import type { Database } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { type Between, isBetween } from "../../platform/http/lists.js";
import { type Listed, type Many, orderOf, type Page, readList, type SortKey } from "../../platform/listing/index.js";
import type { VoucherRow } from "./voucher.js";
import type { VoucherOrder } from "./voucher.schemas.js";
import { listed_voucher_fields, voucher_sources } from "./voucher.store.js";
import { keptCount } from "./voucher-counts.store.js";
import { changed_at } from "./voucher-list.filters.js";

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
  /** What `filters` says. */
  filters: Sql | null;
  /** What is known of all that pass the filters where those are very many. */
  many: Many | null;
  /** How many pass the filters, where somebody has counted them and the filters let through no more than the list can show. */
  total: number | null;
}

export const live = sql`vouchers.deleted_at is null`;

/** One page of the live vouchers that pass the filter, and how many pass it in all. */
export function listVouchers(
  db: Database,
  project_id: string,
  filter: VoucherFilter,
  order: VoucherOrder,
  page: Page,
): Promise<Listed<VoucherRow>> {
  const asked = conditionsOf(project_id, filter);
  return readList<VoucherRow>(
    db,
    project_id,
    { table: sql`vouchers`, fields: listed_voucher_fields, sources: voucher_sources },
    {
      conditions: [live, ...asked],
      order: orderOf(order, sortKeys(project_id)),
      page,
      many: filter.many,
      kept_total:
        filter.total === null ? keptTotal(project_id, filter.campaign_id, asked.length) : sql`${filter.total}`,
    },
  );
}

/** Whether anything is asked for but what `filters` says. */
export const asksForMore = (filter: Omit<VoucherFilter, "filters" | "many" | "total">): boolean =>
  conditionsOf("", { ...filter, filters: null }).length > 0;

/** Kept where the project or a campaign is all that is asked for. */
function keptTotal(project_id: string, campaign_id: string | undefined, conditions: number): Sql | undefined {
  if (conditions === 0) return keptCount(project_id);
  return conditions === 1 && campaign_id !== undefined ? keptCount(project_id, campaign_id) : undefined;
}

function conditionsOf(project_id: string, filter: Omit<VoucherFilter, "many" | "total">): Sql[] {
  const { category, campaign, campaign_id, customer, code_key, ids, is_published, filters } = filter;
  const conditions: Sql[] = [
    ...isBetween(sql`vouchers.created_at`, filter.created_at),
    ...isBetween(sql`vouchers.updated_at`, filter.updated_at, changed_at),
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
  if (filters) conditions.push(filters);
  return conditions;
}

/** Written as the indexes are, so that a page of a million vouchers is read from one and not sorted. */
export const sortKeys = (
  project_id: string,
): Record<"created_at" | "updated_at" | "code" | "type" | "campaign" | "category", SortKey> => {
  const id = sql`vouchers.id`;
  const made_at = [sql`vouchers.created_at`, id];
  return {
    created_at: { keys: made_at },
    updated_at: { keys: [changed_at, id] },
    code: { keys: [sql`vouchers.code_key`] },
    type: { keys: [sql`vouchers.type`, ...made_at] },
    // Names of the older clients, which sort by what they show: a name.
    campaign: {
      keys: [
        sql`(select campaigns.name from campaigns
              where campaigns.project_id = ${project_id} and campaigns.id = vouchers.campaign_id)`,
        ...made_at,
      ],
      nullable: true,
    },
    category: {
      keys: [
        sql`(select categories.name from categories
              where categories.project_id = ${project_id} and categories.id = vouchers.category_id)`,
        ...made_at,
      ],
      nullable: true,
    },
  };
};
