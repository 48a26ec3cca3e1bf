import { isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/database.js";
import { column, jsonColumn, jsonOf, sql } from "../../platform/sql.js";
import type { PromotionTier, TierSummary } from "./tier.js";

const fields = sql`
  promotion_tiers.id, promotion_tiers.campaign_id, promotion_tiers.name, promotion_tiers.banner,
  promotion_tiers.discount, promotion_tiers.metadata, promotion_tiers.hierarchy, promotion_tiers.active,
  promotion_tiers.start_date, promotion_tiers.expiration_date, promotion_tiers.validity_timeframe,
  promotion_tiers.validity_day_of_week, promotion_tiers.validity_hours, promotion_tiers.category_id,
  promotion_tiers.created_at, promotion_tiers.updated_at`;

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
  if (tiers.length === 0) return;
  const rows = tiers.map((tier) => ({
    ...tier,
    start_date: isoOf(tier.start_date),
    expiration_date: isoOf(tier.expiration_date),
    // An array of arrays must be rectangular in PostgreSQL, so the weekdays travel as JSON.
    weekdays: jsonOf(tier.validity_day_of_week),
    created_at: isoOf(tier.created_at),
  }));
  await tx.run(sql`
    insert into promotion_tiers (project_id, id, campaign_id, name, banner, discount, metadata, hierarchy, active,
      start_date, expiration_date, validity_timeframe, validity_hours, category_id, created_at, validity_day_of_week)
    select ${project_id}, tier.id, tier.campaign_id, tier.name, tier.banner, tier.discount, tier.metadata,
           tier.hierarchy, tier.active, tier.start_date, tier.expiration_date, tier.validity_timeframe,
           tier.validity_hours, tier.category_id, tier.created_at,
           case when tier.weekdays is not null
                then array(select jsonb_array_elements_text(tier.weekdays)::int) end
      from unnest(${column(rows, "id")}::text[], ${column(rows, "campaign_id")}::text[],
                  ${column(rows, "name")}::text[], ${column(rows, "banner")}::text[],
                  ${jsonColumn(rows, "discount")}::jsonb[], ${jsonColumn(rows, "metadata")}::jsonb[],
                  ${column(rows, "hierarchy")}::bigint[], ${column(rows, "active")}::boolean[],
                  ${column(rows, "start_date")}::timestamptz[], ${column(rows, "expiration_date")}::timestamptz[],
                  ${jsonColumn(rows, "validity_timeframe")}::jsonb[], ${jsonColumn(rows, "validity_hours")}::jsonb[],
                  ${column(rows, "category_id")}::text[], ${column(rows, "created_at")}::timestamptz[],
                  ${column(rows, "weekdays")}::jsonb[])
             as tier (id, campaign_id, name, banner, discount, metadata, hierarchy, active, start_date,
                      expiration_date, validity_timeframe, validity_hours, category_id, created_at, weekdays)`);
}

export const deleteTiersOfCampaign = (tx: Tx, project_id: string, campaign_id: string) =>
  tx.run(sql`
    delete from promotion_tiers
     where promotion_tiers.project_id = ${project_id} and promotion_tiers.campaign_id = ${campaign_id}`);

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
