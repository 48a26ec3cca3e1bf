import type { Tx } from "../../../platform/db/database.js";
import { column, type Sql, sql } from "../../../platform/db/sql.js";
import { insertInto, table, text, timestamptz } from "../../../platform/db/table.js";
import type { Referral } from "./referral.js";

const referrals = table<Referral>("referrals", {
  campaign_id: text,
  referrer_id: text,
  referee_id: text,
  voucher_id: text,
  redemption_id: text,
  custom_event_id: text,
  created_at: timestamptz,
});

/** Of rows `gone` of the outbox, those of projects with a referral campaign. */
export const has_referral_campaigns: Sql = sql`
  exists (select from campaigns
           where campaigns.project_id = gone.project_id and campaigns.campaign_type = 'REFERRAL_PROGRAM')`;

/**
 * Keeps referrals, each once: answers those that are new. Whoever comes second waits for the first, so callers bring them in one order
 * for everybody.
 */
export const insertReferrals = (tx: Tx, project_id: string, made: readonly Referral[]) =>
  tx.many<Pick<Referral, "campaign_id" | "referrer_id" | "referee_id">>(sql`
    ${insertInto(referrals, project_id, made)} on conflict do nothing
    returning referrals.campaign_id, referrals.referrer_id, referrals.referee_id`);

/** How many customers somebody has referred, as a campaign or one of its tiers counts them. */
export interface Count {
  referrer_id: string;
  counted_by: string;
  referred: number;
}

const rowsOf = (added: readonly Count[]) => sql`
  unnest(${column(added, "referrer_id")}::text[], ${column(added, "counted_by")}::text[],
         ${column(added, "referred")}::int[]) as added (referrer_id, counted_by, referred)`;

/** Adds what is new to the counts of campaigns, in one order for everybody; answers what they come to. */
export const addToCampaigns = (tx: Tx, project_id: string, added: readonly Count[]) =>
  tx.many<Count>(sql`
    insert into referrers (project_id, referrer_id, campaign_id, referred)
    select ${project_id}, added.referrer_id, added.counted_by, added.referred from ${rowsOf(added)}
     order by added.referrer_id, added.counted_by
    on conflict (project_id, referrer_id, campaign_id) do update set referred = referrers.referred + excluded.referred
    returning referrers.referrer_id, referrers.campaign_id as counted_by, referrers.referred`);

/** The same for tiers that ask for a segment. */
export const addToTiers = (tx: Tx, project_id: string, added: readonly Count[]) =>
  tx.many<Count>(sql`
    insert into tier_referrers (project_id, referrer_id, tier_id, referred)
    select ${project_id}, added.referrer_id, added.counted_by, added.referred from ${rowsOf(added)}
     order by added.referrer_id, added.counted_by
    on conflict (project_id, tier_id, referrer_id) do update set referred = tier_referrers.referred + excluded.referred
    returning tier_referrers.referrer_id, tier_referrers.tier_id as counted_by, tier_referrers.referred`);
