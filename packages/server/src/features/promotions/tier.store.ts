import type { ShelfRow } from "../../catalogue/index.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { bool, insertInto, int8, jsonb, metadata, table, text, timestamptz } from "../../platform/db/table.js";
import { window_columns } from "../../terms/index.js";
import { withAssignedRules } from "../validation-rules/index.js";
import type { PromotionTier, TierSummary } from "./tier.js";

const promotion_tiers = table<PromotionTier>("promotion_tiers", {
  id: text,
  campaign_id: text,
  name: text,
  banner: text,
  discount: jsonb,
  metadata,
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

const tierTexts = (project_id: string, which: Sql) => sql`
  with page as (
    select promotion_tiers.id, promotion_tiers.campaign_id, promotion_tiers.active, promotion_tiers.category_id,
           promotion_tiers.discount, nullif(promotion_tiers.metadata, '{}') as metadata, promotion_tiers.start_date,
           promotion_tiers.expiration_date, promotion_tiers.validity_timeframe, promotion_tiers.validity_day_of_week,
           promotion_tiers.validity_hours
      from promotion_tiers
     where promotion_tiers.project_id = ${project_id} and ${which}
  )
  select page.id,
         json_build_array(page.campaign_id, page.active, page.category_id, assigned.rule_ids, page.discount,
                          page.metadata, page.start_date, page.expiration_date, page.validity_timeframe,
                          page.validity_day_of_week, page.validity_hours)::text as text
    from page ${withAssignedRules(project_id)}
   order by page.id`;

/** A page of the tiers in the order of their ids: what a catalogue begins with. */
export const findTierTexts = (db: Queries, project_id: string, after_id: string, limit: number) =>
  db.many<ShelfRow>(
    tierTexts(project_id, sql`promotion_tiers.id > ${after_id} order by promotion_tiers.id limit ${limit}`),
  );

export const findTierTextsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<ShelfRow>(tierTexts(project_id, sql`promotion_tiers.id = any(${ids}::text[])`));

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
