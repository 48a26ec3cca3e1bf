import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { plannedEachTime, sql } from "../../../platform/db/sql.js";

/** Campaigns by what was redeemed of them on these days. */
export const listTopCampaigns = (
  db: Queries,
  project_id: string,
  { start, end, campaigns_max }: { start: string; end: string; campaigns_max: number },
) =>
  db.many<{ id: string; name: string; redemptions: number; discount_amount: number }>(
    plannedEachTime(sql`
      select campaigns.id, campaigns.name, top.redemptions, top.discount_amount
        from (select campaign_days.campaign_id, sum(campaign_days.redemptions_succeeded)::bigint as redemptions,
                     sum(campaign_days.discounted_amount)::bigint as discount_amount
                from campaign_days
               where campaign_days.project_id = ${project_id} and campaign_days.day between ${start}::date and ${end}::date
                 and campaign_days.redemptions_succeeded > 0
               group by campaign_days.campaign_id
               order by redemptions desc, campaign_days.campaign_id limit ${campaigns_max}) as top
        join campaigns on campaigns.project_id = ${project_id} and campaigns.id = top.campaign_id
                      and campaigns.deleted_at is null
       order by top.redemptions desc, campaigns.id`),
  );

/** What happened in a campaign on each of these days. */
export const listDaysOfCampaign = (
  db: Queries,
  project_id: string,
  { campaign_id, start, end }: { campaign_id: string; start: string; end: string },
) =>
  db.many<{
    day: string;
    redemptions: number;
    refusals: number;
    rollbacks: number;
    validations: number;
    publications: number;
    orders_amount: number;
    discount_amount: number;
  }>(sql`
    select campaign_days.day::text as day, sum(campaign_days.redemptions_succeeded)::bigint as redemptions,
           sum(campaign_days.redemptions_failed)::bigint as refusals,
           sum(campaign_days.rollbacks_succeeded)::bigint as rollbacks,
           sum(campaign_days.validations_succeeded + campaign_days.validations_failed)::bigint as validations,
           sum(campaign_days.publications_succeeded)::bigint as publications,
           sum(campaign_days.orders_amount)::bigint as orders_amount,
           sum(campaign_days.discounted_amount)::bigint as discount_amount
      from campaign_days
     where campaign_days.project_id = ${project_id} and campaign_days.campaign_id = ${campaign_id}
       and campaign_days.day between ${start}::date and ${end}::date
     group by campaign_days.day order by campaign_days.day`);

const alerts_max = 100;

/** What somebody should look at: what failed lately, and what ends soon. */
export const countAlerts = (db: Queries, project_id: string, at: { now: Instant; since: Instant; soon: Instant }) =>
  db.many<{ kind: "failed_send_outs" | "failed_actions" | "campaigns_ending"; count: number }>(
    plannedEachTime(sql`
      select alerts.kind, alerts.count
        from (select 1 as place, 'failed_send_outs' as kind, count(*) as count
                from (select from send_outs
                       where send_outs.project_id = ${project_id} and send_outs.status = 'FAILED'
                         and send_outs.created_at > ${isoOf(at.since)} limit ${alerts_max}) as failed
              union all
              select 2, 'failed_actions', count(*)
                from (select from async_actions
                       where async_actions.project_id = ${project_id} and async_actions.status = 'FAILED'
                         and async_actions.updated_at > ${isoOf(at.since)} limit ${alerts_max}) as failed
              union all
              select 3, 'campaigns_ending', count(*)
                from (select from campaigns
                       where campaigns.project_id = ${project_id} and campaigns.deleted_at is null
                         and campaigns.expiration_date between ${isoOf(at.now)} and ${isoOf(at.soon)} limit ${alerts_max}) as ending
             ) as alerts
       where alerts.count > 0 order by alerts.place`),
  );
