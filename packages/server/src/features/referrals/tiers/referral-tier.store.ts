import type { Queries, Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { bool, insertInto, int8, sets, table, text, timestamptz } from "../../../platform/db/table.js";
import type { ReferralTier } from "./referral-tier.js";

const referral_tiers = table<ReferralTier>("referral_tiers", {
  id: text,
  campaign_id: text,
  banner: text,
  criterion: text,
  referees_min: int8,
  reward_id: text,
  segment_id: text,
  active: bool,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const { fields } = referral_tiers;

/** All of a campaign's, the oldest first. */
export const findReferralTiers = (db: Queries, project_id: string, campaign_id: string) =>
  db.many<ReferralTier>(sql`
    select ${fields} from referral_tiers
     where referral_tiers.project_id = ${project_id} and referral_tiers.campaign_id = ${campaign_id}
     order by referral_tiers.created_at, referral_tiers.id`);

/** Those of the campaigns that count the members of a segment alone. */
export const findTiersWithSegment = (db: Queries, project_id: string, campaign_ids: readonly string[]) =>
  db.many<ReferralTier & { segment_id: string }>(sql`
    select ${fields} from referral_tiers
     where referral_tiers.project_id = ${project_id} and referral_tiers.campaign_id = any(${campaign_ids}::text[])
       and referral_tiers.segment_id is not null
     order by referral_tiers.id`);

/** The tiers that count the members of the segment. */
export const findTierIdsOfSegment = async (db: Queries, project_id: string, segment_id: string) =>
  (
    await db.many<{ id: string }>(sql`
      select referral_tiers.id from referral_tiers
       where referral_tiers.project_id = ${project_id} and referral_tiers.segment_id = ${segment_id}
       order by referral_tiers.id
       limit 100`)
  ).map(({ id }) => id);

export const insertReferralTier = (tx: Tx, project_id: string, tier: ReferralTier) =>
  tx.run(insertInto(referral_tiers, project_id, [tier]));

export const updateReferralTier = (tx: Tx, project_id: string, tier: ReferralTier) =>
  tx.run(sql`
    update referral_tiers set ${sets(referral_tiers, tier, ["banner", "active", "updated_at"])}
     where referral_tiers.project_id = ${project_id} and referral_tiers.id = ${tier.id}`);

/** Those that give the reward; answers what they were. */
export const deleteTiersOfReward = (tx: Tx, project_id: string, reward_id: string) =>
  tx.many<ReferralTier>(sql`
    delete from referral_tiers
     where referral_tiers.project_id = ${project_id} and referral_tiers.reward_id = ${reward_id}
    returning ${fields}`);

export const deleteReferralTier = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from referral_tiers where referral_tiers.project_id = ${project_id} and referral_tiers.id = ${id}`);
