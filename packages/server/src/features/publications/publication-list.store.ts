import type { Database } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { type Listed, orderOf, type Page, readList, type SortKey } from "../../platform/listing/index.js";
import type { Publication } from "./publication.js";
import type { PublicationOrder } from "./publication.schemas.js";
import { publication_fields } from "./publication.store.js";
import { gaveOneOf } from "./publication-list.filters.js";

/** Which publications are listed; every one given must hold. */
interface PublicationFilter {
  campaign_id?: string;
  customer_id?: string;
  /** Folded, as codes are compared. */
  code_key?: string;
  result?: string;
  voucher_type?: string;
  is_referral_code?: boolean;
  source_id?: string;
  /** What `filters` says. */
  filters: Sql | null;
}

export const listPublications = (
  db: Database,
  project_id: string,
  filter: PublicationFilter,
  order: PublicationOrder,
  page: Page,
): Promise<Listed<Publication>> =>
  readList<Publication>(
    db,
    project_id,
    { table: sql`publications`, fields: publication_fields },
    { conditions: conditionsOf(project_id, filter), order: orderOf(order, sortKeys(project_id)), page },
  );

function conditionsOf(project_id: string, filter: PublicationFilter): Sql[] {
  const { campaign_id, customer_id, code_key, result, voucher_type, is_referral_code, source_id, filters } = filter;
  const conditions: Sql[] = [];
  if (campaign_id !== undefined) conditions.push(sql`publications.campaign_id = ${campaign_id}`);
  if (customer_id !== undefined) conditions.push(sql`publications.customer_id = ${customer_id}`);
  if (code_key !== undefined) conditions.push(gaveOneOf(project_id, sql`vouchers.code_key = ${code_key}`));
  if (result !== undefined) conditions.push(sql`publications.result = ${result}`);
  if (voucher_type !== undefined) conditions.push(gaveOneOf(project_id, sql`vouchers.type = ${voucher_type}`));
  if (is_referral_code !== undefined) {
    const is_one = sql`coalesce(vouchers.is_referral_code, false) = ${is_referral_code}`;
    conditions.push(gaveOneOf(project_id, is_one));
  }
  if (source_id !== undefined) conditions.push(sql`publications.source_id = ${source_id}`);
  if (filters) conditions.push(filters);
  return conditions;
}

/** Time and id have indexes that keep all publications in order: the others sort what the filter leaves. */
export function sortKeys(project_id: string): Record<Exclude<PublicationOrder, `-${string}`>, SortKey> {
  const id = sql`publications.id`;
  const code = sql`(select vouchers.code_key from vouchers
                     where vouchers.project_id = ${project_id} and vouchers.id = publications.voucher_id)`;
  const tracking_id = sql`(select customers.source_id from customers
                            where customers.project_id = ${project_id} and customers.id = publications.customer_id)`;
  return {
    created_at: { keys: [sql`publications.created_at`, id] },
    id: { keys: [id] },
    voucher_code: { keys: [code, id], nullable: true },
    tracking_id: { keys: [tracking_id, id], nullable: true },
    customer_id: { keys: [sql`publications.customer_id`, id] },
    channel: { keys: [sql`publications.channel collate "C"`, id] },
  };
}
