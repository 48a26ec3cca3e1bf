import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { plannedEachTime, sql } from "../../../platform/db/sql.js";

/** What a campaign did in some days. */
export interface TopCampaign {
  id: string;
  name: string;
  redemptions: number;
  refusals: number;
  discount_amount: number;
  redemptions_before: number;
}

/** Campaigns by what was redeemed of them on these days, beside the days before. */
export const listTopCampaigns = (
  db: Queries,
  project_id: string,
  { before, start, end, campaigns_max }: { before: string; start: string; end: string; campaigns_max: number },
) =>
  db.many<TopCampaign>(
    plannedEachTime(sql`
      select campaigns.id, campaigns.name, top.redemptions, top.refusals, top.discount_amount,
             earlier.redemptions as redemptions_before
        from (select campaign_days.campaign_id, sum(campaign_days.redemptions_succeeded) as redemptions,
                     sum(campaign_days.redemptions_failed) as refusals,
                     sum(campaign_days.discounted_amount) as discount_amount
                from campaign_days
               where campaign_days.project_id = ${project_id} and campaign_days.day between ${start}::date and ${end}::date
               group by campaign_days.campaign_id
              having sum(campaign_days.redemptions_succeeded) > 0
               order by redemptions desc, campaign_days.campaign_id limit ${campaigns_max}) as top
        join campaigns on campaigns.project_id = ${project_id} and campaigns.id = top.campaign_id
                      and campaigns.deleted_at is null
       cross join lateral (
         select coalesce(sum(campaign_days.redemptions_succeeded), 0) as redemptions from campaign_days
          where campaign_days.project_id = ${project_id} and campaign_days.campaign_id = top.campaign_id
            and campaign_days.day >= ${before}::date and campaign_days.day < ${start}::date
       ) as earlier
       order by top.redemptions desc, campaigns.id`),
  );

const active_max = 1_000;

/** How many campaigns run now, as far as one counts. */
export const countActiveCampaigns = async (db: Queries, project_id: string, now: Instant): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) as count
        from (select from campaigns
               where campaigns.project_id = ${project_id} and campaigns.deleted_at is null and campaigns.active
                 and campaigns.creation_status = 'DONE'
                 and (campaigns.start_date is null or campaigns.start_date <= ${isoOf(now)})
                 and (campaigns.expiration_date is null or campaigns.expiration_date > ${isoOf(now)})
               limit ${active_max}) as active`)
  ).count;

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
    select campaign_days.day::text as day, sum(campaign_days.redemptions_succeeded) as redemptions,
           sum(campaign_days.redemptions_failed) as refusals,
           sum(campaign_days.rollbacks_succeeded) as rollbacks,
           sum(campaign_days.validations_succeeded + campaign_days.validations_failed) as validations,
           sum(campaign_days.publications_succeeded) as publications,
           sum(campaign_days.orders_amount) as orders_amount,
           sum(campaign_days.discounted_amount) as discount_amount
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
