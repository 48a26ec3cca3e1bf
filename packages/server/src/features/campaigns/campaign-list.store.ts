import type { Database } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { Campaign } from "./campaign.js";
import type { CampaignOrder, CampaignQuery } from "./campaign.schemas.js";
import { campaign_fields } from "./campaign.store.js";
import { changed_at, is_referral_code } from "./campaign-list.filters.js";

type CampaignFilter = Pick<CampaignQuery, "campaign_type" | "campaign_status" | "is_referral_code"> & {
  /** What `filters` says. */
  filters: Sql | null;
};

const sort_keys = {
  created_at: { keys: [sql`campaigns.created_at`, sql`campaigns.id`] },
  updated_at: { keys: [changed_at, sql`campaigns.id`] },
};

/** One page of the live campaigns that pass the filter, and how many pass it in all. */
export function listCampaigns(
  db: Database,
  project_id: string,
  filter: CampaignFilter,
  order: CampaignOrder,
  page: Page,
): Promise<Listed<Campaign>> {
  const { campaign_type, campaign_status, filters } = filter;
  const conditions: Sql[] = [sql`campaigns.deleted_at is null`];
  if (campaign_type) conditions.push(sql`campaigns.campaign_type = ${campaign_type}`);
  if (campaign_status) conditions.push(sql`campaigns.creation_status = ${campaign_status}`);
  if (filter.is_referral_code !== undefined) conditions.push(sql`${is_referral_code} = ${filter.is_referral_code}`);
  if (filters) conditions.push(filters);
  return readList<Campaign>(
    db,
    project_id,
    { table: sql`campaigns`, fields: campaign_fields },
    { conditions, order: orderOf(order, sort_keys), page },
  );
}
