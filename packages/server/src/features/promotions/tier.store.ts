import { type Instant, isoOf } from "../../platform/clock.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import {
  bool,
  insertInto,
  int8,
  json,
  metadata,
  table,
  text,
  timestamptz,
  upsertInto,
} from "../../platform/db/table.js";
import { problems } from "../../platform/http/problems.js";
import {
  type Filterable,
  type Listed,
  metadataField,
  orderOf,
  type Page,
  readList,
  textField,
} from "../../platform/listing/index.js";
import { storedWindow, window_columns } from "../../terms/index.js";
import type { PromotionTier, TierSummary } from "./tier.js";
import type { TierOrder } from "./tier.schemas.js";

const promotion_tiers = table<PromotionTier>("promotion_tiers", {
  id: text,
  campaign_id: text,
  name: text,
  banner: text,
  discount: json,
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

/** Of a campaign in the bin nothing is seen. */
const live = sql`promotion_tiers.campaign_id in (
  select campaigns.id from campaigns
   where campaigns.project_id = promotion_tiers.project_id and campaigns.deleted_at is null)`;

export const findTier = (db: Queries, project_id: string, id: string) =>
  db.maybe<PromotionTier>(sql`
    select ${fields} from promotion_tiers
     where promotion_tiers.project_id = ${project_id} and promotion_tiers.id = ${id} and ${live}`);

const changed_at = sql`coalesce(promotion_tiers.updated_at, promotion_tiers.created_at)`;
const sort_keys = {
  created_at: { keys: [sql`promotion_tiers.created_at`, sql`promotion_tiers.id`] },
  updated_at: { keys: [changed_at, sql`promotion_tiers.id`] },
};

/** @param available_at only those that are (or are not) active and not expired at that time, nor their campaigns */
export function listTiers(
  db: Database,
  project_id: string,
  available: { is: boolean; at: Instant } | null,
  order: TierOrder,
  page: Page,
): Promise<Listed<PromotionTier>> {
  const conditions = [live];
  if (available) {
    const at = isoOf(available.at);
    const is_available = sql`(promotion_tiers.active
      and (promotion_tiers.expiration_date is null or promotion_tiers.expiration_date >= ${at})
      and exists (select from campaigns
                   where campaigns.project_id = ${project_id} and campaigns.id = promotion_tiers.campaign_id
                     and campaigns.active and (campaigns.expiration_date is null or campaigns.expiration_date >= ${at})))`;
    conditions.push(available.is ? is_available : sql`not ${is_available}`);
  }
  return readList<PromotionTier>(
    db,
    project_id,
    { table: sql`promotion_tiers`, fields },
    { conditions, order: orderOf(order, sort_keys), page },
  );
}

const tierTexts = (project_id: string, which: Sql) => sql`
  select promotion_tiers.id,
         json_build_array(promotion_tiers.campaign_id, promotion_tiers.active, promotion_tiers.category_id,
                          promotion_tiers.discount, nullif(promotion_tiers.metadata, '{}'),
                          (date_part('epoch', promotion_tiers.created_at) * 1000)::bigint,
                          ${storedWindow(sql`promotion_tiers`)})::text as text
    from promotion_tiers
   where promotion_tiers.project_id = ${project_id} and ${which}`;

/** A page of the tiers in the order of their ids: what a catalogue begins with. */
export const tierTextsAfter = (project_id: string, after_id: string, limit: number) =>
  tierTexts(project_id, sql`promotion_tiers.id > ${after_id} order by promotion_tiers.id limit ${limit}`);

export const tierTextsOfIds = (project_id: string, ids: readonly string[]) =>
  tierTexts(project_id, sql`promotion_tiers.id = any(${ids}::text[])`);

const of_campaign = textField(sql`promotion_tiers.campaign_id`);

/** What the older validation of promotions may be narrowed to (redemption.md §15). */
export const tierFilterable: Filterable = {
  fields: { campaign_id: of_campaign, promotion_id: of_campaign },
  prefixes: {
    metadata: (key) =>
      metadataField(sql`promotion_tiers.metadata`, (json) => sql`promotion_tiers.metadata @> ${json}::jsonb`, key),
  },
  // Without a field that is misspelt, every promotion would be offered.
  unknown: problems.invalidPayload,
};

/** Ids of the newest that pass the filter. */
export const findTierIds = (db: Queries, project_id: string, filter: Sql, limit: number) =>
  db.many<{ id: string }>(sql`
    select promotion_tiers.id from promotion_tiers
     where promotion_tiers.project_id = ${project_id} and ${filter}
     order by promotion_tiers.created_at desc, promotion_tiers.id desc limit ${limit}`);

/** The tiers of the campaigns, each campaign's in the order of their hierarchy. */
export const findTiersOfCampaigns = (db: Queries, project_id: string, campaign_ids: readonly string[]) =>
  db.many<PromotionTier>(sql`
    select ${fields} from promotion_tiers
     where promotion_tiers.project_id = ${project_id} and promotion_tiers.campaign_id = any(${campaign_ids}::text[])
     order by promotion_tiers.campaign_id, promotion_tiers.hierarchy, promotion_tiers.id`);

export async function insertTiers(tx: Tx, project_id: string, tiers: readonly PromotionTier[]): Promise<void> {
  if (tiers.length > 0) await tx.run(insertInto(promotion_tiers, project_id, tiers));
}

export const updateTiers = (tx: Tx, project_id: string, tiers: readonly PromotionTier[]) =>
  tx.run(upsertInto(promotion_tiers, project_id, tiers, ["campaign_id", "created_at"]));

export const deleteTier = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from promotion_tiers where promotion_tiers.project_id = ${project_id} and promotion_tiers.id = ${id}`);

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
