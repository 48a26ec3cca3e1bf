import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { bool, insertInto, jsonb, metadata, sets, table, text, timestamptz } from "../../platform/db/table.js";
import { storedWindow, window_columns, window_names } from "../../terms/index.js";
import { metadataKeysOf } from "../async-actions/index.js";
import type { Campaign, CampaignStatus } from "./campaign.js";

const campaigns = table<Campaign>("campaigns", {
  id: text,
  name: text,
  campaign_type: text,
  type: text,
  description: text,
  voucher: jsonb,
  referral_program: jsonb,
  loyalty_tiers_expiration: jsonb,
  auto_join: bool,
  join_once: bool,
  use_voucher_metadata_schema: bool,
  ...window_columns,
  activity_duration_after_publishing: text,
  active: bool,
  protected: bool,
  category_id: text,
  metadata,
  creation_status: text,
  vouchers_generation_status: text,
  created_at: timestamptz,
  updated_at: timestamptz,
});
export const campaign_fields = campaigns.fields;

/** For a purge of a key: of campaigns by the schema that their metadata follows. */
export const metadata_keys = {
  of_campaigns: metadataKeysOf(campaigns, sql`not campaigns.use_voucher_metadata_schema`),
  of_vouchers: metadataKeysOf(campaigns, sql`campaigns.use_voucher_metadata_schema`),
};

/** What a person may change, and when they did. */
const editable = [
  "type",
  "description",
  "voucher",
  "auto_join",
  "join_once",
  ...window_names,
  "activity_duration_after_publishing",
  "loyalty_tiers_expiration",
  "referral_program",
  "active",
  "category_id",
  "metadata",
  "updated_at",
] as const;

/** Live campaigns; one in the bin is as if it were not there. */
export const findCampaignsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Campaign>(sql`
    select ${campaign_fields} from campaigns
     where campaigns.project_id = ${project_id}
       and campaigns.id = any(${ids}::text[])
       and campaigns.deleted_at is null`);

/** What a code of it gives, of campaigns whose codes are there to be found (redemption.md §13.2). */
const code_given = sql`
  case when campaigns.campaign_type in ('DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'REFERRAL_PROGRAM')
       then json_build_array(campaigns.voucher -> 'type', campaigns.voucher -> 'discount', campaigns.voucher -> 'gift',
                             campaigns.voucher -> 'redemption' -> 'quantity') end`;

const campaignTexts = (project_id: string, which: Sql) => sql`
  select campaigns.id,
         json_build_array(campaigns.name, campaigns.active, campaigns.category_id, campaigns.campaign_type, campaigns.type,
                          (date_part('epoch', campaigns.created_at) * 1000)::bigint, ${code_given},
                          ${storedWindow(sql`campaigns`)})::text as text
    from campaigns
   where campaigns.project_id = ${project_id} and campaigns.deleted_at is null and ${which}`;

/** A campaign in the bin, or on its way out. */
export const findHiddenCampaign = (db: Queries, project_id: string, id: string) =>
  db.maybe<Campaign>(sql`
    select ${campaign_fields} from campaigns
     where campaigns.project_id = ${project_id} and campaigns.id = ${id} and campaigns.deleted_at is not null`);

/** A page of the live campaigns in the order of their ids: what a catalogue begins with. */
export const campaignTextsAfter = (project_id: string, after_id: string, limit: number) =>
  campaignTexts(project_id, sql`campaigns.id > ${after_id} order by campaigns.id limit ${limit}`);

export const campaignTextsOfIds = (project_id: string, ids: readonly string[]) =>
  campaignTexts(project_id, sql`campaigns.id = any(${ids}::text[])`);

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
export const insertCampaign = (tx: Tx, project_id: string, campaign: Campaign) =>
  tx.run(sql`${insertInto(campaigns, project_id, [campaign])} on conflict (project_id, name) do nothing`);

/** Writes what a person may change. Runs under the campaign's key. */
export const updateCampaign = (tx: Tx, project_id: string, campaign: Campaign) =>
  tx.run(sql`
    update campaigns set ${sets(campaigns, campaign, editable)}
     where campaigns.project_id = ${project_id} and campaigns.id = ${campaign.id} and campaigns.deleted_at is null`);

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

/** Deletes a campaign once its vouchers are gone; its name is free again, and whatever else was its own goes with it. */
export const deleteCampaignRow = (tx: Tx, project_id: string, campaign_id: string) =>
  tx.run(sql`delete from campaigns where campaigns.project_id = ${project_id} and campaigns.id = ${campaign_id}`);

export const countVouchers = (db: Queries, project_id: string, campaign_ids: readonly string[]) =>
  db.many<{ campaign_id: string; vouchers_count: number }>(sql`
    select campaign_voucher_counts.campaign_id, sum(campaign_voucher_counts.vouchers_count) as vouchers_count
      from campaign_voucher_counts
     where campaign_voucher_counts.project_id = ${project_id}
       and campaign_voucher_counts.campaign_id = any(${campaign_ids}::text[])
     group by campaign_voucher_counts.campaign_id`);
