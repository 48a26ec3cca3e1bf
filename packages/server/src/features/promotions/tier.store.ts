import type { Queries, Tx } from "../../platform/database.js";
import { sql } from "../../platform/sql.js";
import { bool, insertInto, int8, jsonb, table, text, timestamptz } from "../../platform/table.js";
import { window_columns } from "../../terms/index.js";
import type { PromotionTier, TierSummary } from "./tier.js";

const promotion_tiers = table<PromotionTier>("promotion_tiers", {
  id: text,
  campaign_id: text,
  name: text,
  banner: text,
  discount: jsonb,
  metadata: jsonb,
  hierarchy: int8,
  active: bool,
  ...window_columns,
  category_id: text,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const { fields } = promotion_tiers;

export const findTiersByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<PromotionTier>(sql`
    select ${fields} from promotion_tiers
     where promotion_tiers.project_id = ${project_id} and promotion_tiers.id = any(${ids}::text[])`);

/** The tiers of the campaigns, each campaign's in the order of their hierarchy. */
export const findTiersOfCampaigns = (db: Queries, project_id: string, campaign_ids: readonly string[]) =>
  db.many<PromotionTier>(sql`
    select ${fields} from promotion_tiers
     where promotion_tiers.project_id = ${project_id} and promotion_tiers.campaign_id = any(${campaign_ids}::text[])
     order by promotion_tiers.campaign_id, promotion_tiers.hierarchy, promotion_tiers.id`);

export async function insertTiers(tx: Tx, project_id: string, tiers: readonly PromotionTier[]): Promise<void> {
  if (tiers.length > 0) await tx.run(insertInto(promotion_tiers, project_id, tiers));
}

/** What each tier's redemptions came to, from the counters that redemptions keep. */
export const summariesOfTiers = (db: Queries, project_id: string, tier_ids: readonly string[]) =>
  db.many<TierSummary & { tier_id: string }>(sql`
    select usage_days.object_id as tier_id,
           sum(usage_days.redemptions) as total_redeemed,
           sum(usage_days.orders_amount) as total_amount,
           sum(usage_days.discount_amount) as total_discount_amount
      from usage_days
     where usage_days.project_id = ${project_id} and usage_days.object_id = any(${tier_ids}::text[])
     group by usage_days.object_id`);
