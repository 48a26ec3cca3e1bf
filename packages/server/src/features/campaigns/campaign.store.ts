import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/database.js";
import { jsonOf, sql } from "../../platform/sql.js";
import { windowColumns } from "../../terms/index.js";
import type { Campaign, CampaignStatus } from "./campaign.js";

export const campaign_fields = sql`
  campaigns.id, campaigns.name, campaigns.campaign_type, campaigns.type, campaigns.description, campaigns.voucher,
  campaigns.referral_program, campaigns.loyalty_tiers_expiration, campaigns.auto_join, campaigns.join_once,
  campaigns.use_voucher_metadata_schema, campaigns.start_date, campaigns.expiration_date,
  campaigns.validity_timeframe, campaigns.validity_day_of_week, campaigns.validity_hours,
  campaigns.activity_duration_after_publishing, campaigns.active, campaigns.protected, campaigns.category_id,
  campaigns.metadata, campaigns.creation_status, campaigns.vouchers_generation_status, campaigns.created_at,
  campaigns.updated_at`;

/** Live campaigns; one in the bin is as if it were not there. */
export const findCampaignsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Campaign>(sql`
    select ${campaign_fields} from campaigns
     where campaigns.project_id = ${project_id}
       and campaigns.id = any(${ids}::text[])
       and campaigns.deleted_at is null`);

/** A page of the live campaigns in the order of their ids: what a catalogue begins with. */
export const findCampaigns = (db: Queries, project_id: string, after_id: string, limit: number) =>
  db.many<Campaign>(sql`
    select ${campaign_fields} from campaigns
     where campaigns.project_id = ${project_id} and campaigns.id > ${after_id} and campaigns.deleted_at is null
     order by campaigns.id
     limit ${limit}`);

/** By id or by exact name; an id wins where one text is both. */
export const findCampaign = (db: Queries, project_id: string, id_or_name: string) =>
  db.maybe<Campaign>(sql`
    select ${campaign_fields} from campaigns
     where campaigns.project_id = ${project_id}
       and (campaigns.id = ${id_or_name} or campaigns.name = ${id_or_name})
       and campaigns.deleted_at is null
     order by campaigns.id = ${id_or_name} desc
     limit 1`);

/** Answers how many rows were written: none where the name is taken, in the bin too. */
export const insertCampaign = (tx: Tx, project_id: string, campaign: Campaign) => {
  const window = windowColumns(campaign);
  return tx.run(sql`
    insert into campaigns (project_id, id, name, campaign_type, type, description, voucher, referral_program,
      loyalty_tiers_expiration, auto_join, join_once, use_voucher_metadata_schema, start_date, expiration_date,
      validity_timeframe, validity_day_of_week, validity_hours, activity_duration_after_publishing, active, protected,
      category_id, metadata, creation_status, vouchers_generation_status, created_at)
    values (${project_id}, ${campaign.id}, ${campaign.name}, ${campaign.campaign_type}, ${campaign.type},
      ${campaign.description}, ${jsonOf(campaign.voucher)}, ${jsonOf(campaign.referral_program)},
      ${jsonOf(campaign.loyalty_tiers_expiration)}, ${campaign.auto_join}, ${campaign.join_once},
      ${campaign.use_voucher_metadata_schema}, ${window.start_date}, ${window.expiration_date},
      ${window.validity_timeframe}, ${window.validity_day_of_week}, ${window.validity_hours},
      ${campaign.activity_duration_after_publishing}, ${campaign.active}, ${campaign.protected},
      ${campaign.category_id}, ${jsonOf(campaign.metadata)}, ${campaign.creation_status},
      ${campaign.vouchers_generation_status}, ${isoOf(campaign.created_at)})
    on conflict (project_id, name) do nothing`);
};

/** Writes what a person may change. Runs under the campaign's key. */
export async function updateCampaign(tx: Tx, project_id: string, campaign: Campaign): Promise<void> {
  const window = windowColumns(campaign);
  await tx.run(sql`
    update campaigns
       set type = ${campaign.type}, description = ${campaign.description}, voucher = ${jsonOf(campaign.voucher)},
           auto_join = ${campaign.auto_join}, join_once = ${campaign.join_once}, start_date = ${window.start_date},
           expiration_date = ${window.expiration_date}, validity_timeframe = ${window.validity_timeframe},
           validity_day_of_week = ${window.validity_day_of_week}, validity_hours = ${window.validity_hours},
           activity_duration_after_publishing = ${campaign.activity_duration_after_publishing},
           loyalty_tiers_expiration = ${jsonOf(campaign.loyalty_tiers_expiration)}, active = ${campaign.active}, category_id = ${campaign.category_id}, metadata = ${jsonOf(campaign.metadata)},
           updated_at = ${isoOf(campaign.updated_at)}
     where campaigns.project_id = ${project_id} and campaigns.id = ${campaign.id} and campaigns.deleted_at is null`);
}

/** Says how far the making of a campaign's vouchers is. */
export const setCampaignStatus = (
  tx: Tx,
  project_id: string,
  campaign_id: string,
  status: { creation_status: CampaignStatus; vouchers_generation_status: CampaignStatus },
) =>
  tx.run(sql`
    update campaigns
       set creation_status = ${status.creation_status},
           vouchers_generation_status = ${status.vouchers_generation_status}
     where campaigns.project_id = ${project_id} and campaigns.id = ${campaign_id}`);

/** Ends what an edit began: the campaign's vouchers have followed. A status that something else has set stays. */
export const endModification = (tx: Tx, project_id: string, campaign_id: string) =>
  tx.run(sql`
    update campaigns
       set creation_status = case campaigns.creation_status when 'MODIFYING' then 'DONE' else campaigns.creation_status end,
           vouchers_generation_status = case campaigns.vouchers_generation_status
                                        when 'MODIFYING' then 'DONE' else campaigns.vouchers_generation_status end
     where campaigns.project_id = ${project_id} and campaigns.id = ${campaign_id}`);

/** Hides a campaign: in the bin, or on its way out. Answers how many there were to hide. */
export const binCampaign = (tx: Tx, project_id: string, campaign_id: string, instant: Instant) =>
  tx.run(sql`
    update campaigns set deleted_at = ${isoOf(instant)}
     where campaigns.project_id = ${project_id} and campaigns.id = ${campaign_id} and campaigns.deleted_at is null`);

/** Deletes what is left of a campaign once its vouchers and tiers are gone; its name is free again. */
export async function deleteCampaignRow(tx: Tx, project_id: string, campaign_id: string): Promise<void> {
  await tx.run(sql`
    delete from campaign_voucher_counts
     where campaign_voucher_counts.project_id = ${project_id} and campaign_voucher_counts.campaign_id = ${campaign_id}`);
  await tx.run(sql`
    delete from earning_rules
     where earning_rules.project_id = ${project_id} and earning_rules.campaign_id = ${campaign_id}`);
  await tx.run(sql`
    delete from campaigns where campaigns.project_id = ${project_id} and campaigns.id = ${campaign_id}`);
}

export const countVouchers = (db: Queries, project_id: string, campaign_ids: readonly string[]) =>
  db.many<{ campaign_id: string; vouchers_count: number }>(sql`
    select campaign_voucher_counts.campaign_id, sum(campaign_voucher_counts.vouchers_count) as vouchers_count
      from campaign_voucher_counts
     where campaign_voucher_counts.project_id = ${project_id}
       and campaign_voucher_counts.campaign_id = any(${campaign_ids}::text[])
     group by campaign_voucher_counts.campaign_id`);
