import type { Queries } from "../../platform/database.js";
import { all, orderBy, type Page } from "../../platform/http/lists.js";
import { type Sql, sql } from "../../platform/sql.js";
import type { Campaign } from "./campaign.js";
import type { CampaignOrder, CampaignQuery } from "./campaign.schemas.js";
import { campaign_fields } from "./campaign.store.js";

export type CampaignFilter = Pick<CampaignQuery, "campaign_type" | "campaign_status" | "is_referral_code">;

/** One page of the live campaigns that pass the filter, and how many pass it in all. */
export async function listCampaigns(
  db: Queries,
  project_id: string,
  { campaign_type, campaign_status, is_referral_code }: CampaignFilter,
  order: CampaignOrder,
  page: Page,
): Promise<{ campaigns: Campaign[]; total: number }> {
  const conditions: Sql[] = [sql`campaigns.deleted_at is null`];
  if (campaign_type) conditions.push(sql`campaigns.campaign_type = ${campaign_type}`);
  if (campaign_status) conditions.push(sql`campaigns.creation_status = ${campaign_status}`);
  if (is_referral_code !== undefined) {
    conditions.push(sql`coalesce((campaigns.voucher ->> 'is_referral_code')::boolean, false) = ${is_referral_code}`);
  }
  const columns = {
    created_at: sql`campaigns.created_at`,
    updated_at: sql`coalesce(campaigns.updated_at, campaigns.created_at)`,
  };
  const [campaigns, { total }] = await Promise.all([
    db.many<Campaign>(sql`
      select ${campaign_fields} from campaigns
       where campaigns.project_id = ${project_id} and ${all(conditions)}
       order by ${orderBy(order, columns, sql`campaigns.id`)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`
      select count(*) as total from campaigns where campaigns.project_id = ${project_id} and ${all(conditions)}`),
  ]);
  return { campaigns, total };
}
