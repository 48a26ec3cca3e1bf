import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Database, Queries, Tx } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { insertInto, int8, jsonb, metadata, table, text, timestamptz } from "../../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../../platform/listing/index.js";
import type { LoyaltyTier } from "./loyalty-tier.js";
import type { TierOrder } from "./loyalty-tier.schemas.js";

const loyalty_tiers = table<LoyaltyTier>("loyalty_tiers", {
  id: text,
  campaign_id: text,
  name: text,
  points_from: int8,
  points_to: int8,
  earning_rules: jsonb,
  rewards: jsonb,
  metadata,
  created_at: timestamptz,
  updated_at: timestamptz,
});

/** All of them, lowest first: no more than a program may have. */
export const findTiersOfPrograms = (db: Queries, project_id: string, campaign_ids: readonly string[]) =>
  db.many<LoyaltyTier>(sql`
    select ${loyalty_tiers.fields} from loyalty_tiers
     where loyalty_tiers.project_id = ${project_id} and loyalty_tiers.campaign_id = any(${campaign_ids}::text[])
     order by loyalty_tiers.points_from, loyalty_tiers.id`);

export const findTiersByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<LoyaltyTier>(sql`
    select ${loyalty_tiers.fields} from loyalty_tiers
     where loyalty_tiers.project_id = ${project_id} and loyalty_tiers.id = any(${ids}::text[])`);

export const findTier = (db: Queries, project_id: string, campaign_id: string, id: string) =>
  db.maybe<LoyaltyTier>(sql`
    select ${loyalty_tiers.fields} from loyalty_tiers
     where loyalty_tiers.project_id = ${project_id}
       and loyalty_tiers.campaign_id = ${campaign_id}
       and loyalty_tiers.id = ${id}`);

const sort_keys = {
  created_at: { keys: [sql`loyalty_tiers.created_at`, sql`loyalty_tiers.id`] },
  updated_at: { keys: [sql`coalesce(loyalty_tiers.updated_at, loyalty_tiers.created_at)`, sql`loyalty_tiers.id`] },
};

export const listTiers = (
  db: Database,
  project_id: string,
  campaign_id: string,
  order: TierOrder,
  page: Page,
): Promise<Listed<LoyaltyTier>> =>
  readList<LoyaltyTier>(
    db,
    project_id,
    { table: sql`loyalty_tiers`, fields: loyalty_tiers.fields },
    { conditions: [sql`loyalty_tiers.campaign_id = ${campaign_id}`], order: orderOf(order, sort_keys), page },
  );

/** Runs under the key of the program's tiers. */
export const insertTiers = (tx: Tx, project_id: string, tiers: readonly LoyaltyTier[]) =>
  tx.run(insertInto(loyalty_tiers, project_id, tiers));

/** Takes an earning rule out of what the tiers of its program say of their rules. Runs under the key of the program's tiers. */
export const dropMappings = (tx: Tx, project_id: string, campaign_id: string, rule_id: string, instant: Instant) =>
  tx.run(sql`
    update loyalty_tiers
       set earning_rules = loyalty_tiers.earning_rules - ${rule_id}::text, updated_at = ${isoOf(instant)}
     where loyalty_tiers.project_id = ${project_id} and loyalty_tiers.campaign_id = ${campaign_id}
       and loyalty_tiers.earning_rules ? ${rule_id}`);

const tierTexts = (project_id: string, which: Sql) => sql`
  select loyalty_tiers.id, json_build_array(loyalty_tiers.campaign_id, loyalty_tiers.rewards)::text as text
    from loyalty_tiers
   where loyalty_tiers.project_id = ${project_id} and ${which}`;

/** A page of the tiers in the order of their ids: what a catalogue begins with. */
export const tierTextsAfter = (project_id: string, after_id: string, limit: number) =>
  tierTexts(project_id, sql`loyalty_tiers.id > ${after_id} order by loyalty_tiers.id limit ${limit}`);

export const tierTextsOfIds = (project_id: string, ids: readonly string[]) =>
  tierTexts(project_id, sql`loyalty_tiers.id = any(${ids}::text[])`);
