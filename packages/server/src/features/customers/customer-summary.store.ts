import { redeemed_fields } from "../../books/index.js";
import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";

/** What a customer has done, counted (rules.md §18). Money in minor units. */
export interface CustomerSummary {
  customer_id: string;
  succeeded: number;
  failed: number;
  rolled_back: number;
  rollback_failed: number;
  gift_redeemed: number;
  gift_to_go: number;
  points_redeemed: number;
  points_to_go: number;
  /** Points ever added to the cards held, less the expired ones, and what each program's card holds, by its name. */
  loyalty_points: number;
  loyalty_campaigns: Record<string, { points: number; loyalty_tier?: string; referred_customers: number }>;
  /** Customers that they referred, in all and by the campaign's name. */
  referred_customers: number;
  referred_campaigns: Record<string, number>;
  /** That they were referred themselves: how often, and the last of that. */
  referrals_total: number;
  referrals: readonly {
    campaign_id: string;
    referrer_id: string;
    related_object_id: string;
    related_object_type: "redemption" | "custom_event";
    at: Instant;
  }[];
  orders_amount: number;
  orders_count: number;
  last_order_amount: number | null;
  last_order_date: Instant | null;
}

/** As many of the times that somebody was referred are shown; nobody is, so often, but for who tries out codes. */
const referrals_max = 100;

/** Referrals: whom the customer brought, and who brought the customer. */
const referralsOf = (project_id: Sql, customer_id: Sql) => ({
  referring: sql`
      cross join lateral (
        select coalesce(sum(referrers.referred), 0) as referred_customers,
               coalesce(jsonb_object_agg(campaigns.name, referrers.referred) filter (where campaigns.name is not null), '{}')
                 as referred_campaigns
          from referrers
          left join campaigns on campaigns.project_id = referrers.project_id and campaigns.id = referrers.campaign_id
         where referrers.project_id = ${project_id}
           and referrers.referrer_id = ${customer_id}
      ) as referring`,
  referred: sql`
      cross join lateral (
        select count(*) as referrals_total from referrals
         where referrals.project_id = ${project_id} and referrals.referee_id = ${customer_id}
      ) as referred
      cross join lateral (
        select coalesce(jsonb_agg(last.*), '[]') as referrals
          from (
            select referrals.campaign_id, referrals.referrer_id,
                   coalesce(referrals.redemption_id, referrals.custom_event_id) as related_object_id,
                   case when referrals.redemption_id is null then 'custom_event' else 'redemption' end as related_object_type,
                   (extract(epoch from referrals.created_at) * 1000)::bigint as at
              from referrals
             where referrals.project_id = ${project_id} and referrals.referee_id = ${customer_id}
             order by referrals.created_at desc, referrals.campaign_id, referrals.referrer_id
             limit ${referrals_max}
          ) as last
      ) as last_referrals`,
});

/**
 * What is counted of a customer, each part as a `lateral` beside the table that names the customer. A parent redemption counts
 * nothing: its children do.
 */
export const countsOfCustomer = (project_id: Sql, customer_id: Sql) => ({
  redeemed: sql`
      cross join lateral (
        select count(*) filter (where redemptions.object = 'redemption' and redemptions.result = 'SUCCESS') as succeeded,
               count(*) filter (where redemptions.object = 'redemption' and redemptions.result = 'FAILURE') as failed,
               count(*) filter (where redemptions.object = 'redemption_rollback' and redemptions.result = 'SUCCESS') as rolled_back,
               count(*) filter (where redemptions.object = 'redemption_rollback' and redemptions.result = 'FAILURE') as rollback_failed,
               coalesce(sum(redemptions.amount) filter (where vouchers.type = 'GIFT_VOUCHER' and redemptions.result = 'SUCCESS'), 0) as gift_redeemed,
               coalesce(sum(redemptions.amount) filter (where vouchers.type = 'LOYALTY_CARD' and redemptions.result = 'SUCCESS'), 0) as points_redeemed
          from redemptions
          left join vouchers on vouchers.project_id = redemptions.project_id and vouchers.id = redemptions.voucher_id
         where redemptions.project_id = ${project_id}
           and redemptions.customer_id = ${customer_id}
           and (coalesce(${redeemed_fields}) is not null or redemptions.result = 'FAILURE')
      ) as redeemed`,
  held: sql`
      cross join lateral (
        select coalesce(sum(card_balances.balance) filter (where vouchers.type = 'GIFT_VOUCHER'), 0) as gift_to_go,
               coalesce(sum(card_balances.balance) filter (where vouchers.type = 'LOYALTY_CARD'), 0) as points_to_go,
               coalesce(sum(card_balances.added - card_balances.expired) filter (where vouchers.type = 'LOYALTY_CARD'), 0) as loyalty_points,
               coalesce(jsonb_object_agg(campaigns.name, jsonb_strip_nulls(jsonb_build_object(
                          'points', card_balances.balance, 'loyalty_tier', loyalty_tier_members.tier_id, 'referred_customers', 0)))
                        filter (where vouchers.type = 'LOYALTY_CARD' and campaigns.name is not null), '{}') as loyalty_campaigns
          from vouchers
          join card_balances on card_balances.project_id = vouchers.project_id and card_balances.voucher_id = vouchers.id
          left join campaigns on campaigns.project_id = vouchers.project_id and campaigns.id = vouchers.campaign_id
          left join loyalty_tier_members on loyalty_tier_members.project_id = vouchers.project_id
                                        and loyalty_tier_members.voucher_id = vouchers.id
         where vouchers.project_id = ${project_id}
           and vouchers.holder_id = ${customer_id}
           and vouchers.deleted_at is null
      ) as held`,
  ...referralsOf(project_id, customer_id),
  ordered: sql`
      cross join lateral (
        select coalesce(sum(orders.total_amount), 0) as orders_amount, count(*) as orders_count
          from orders
         where orders.project_id = ${project_id}
           and orders.customer_id = ${customer_id}
           and orders.status in ('PAID', 'FULFILLED')
      ) as ordered`,
  latest: sql`
      left join lateral (
        select orders.total_amount as last_order_amount, orders.created_at as last_order_date
          from orders
         where orders.project_id = ${project_id}
           and orders.customer_id = ${customer_id}
           and orders.status in ('PAID', 'FULFILLED')
         order by orders.created_at desc
         limit 1
      ) as latest on true`,
});

/**
 * Counts from the books themselves, through the indexes on the customer, so that a summary is never behind and nothing
 * on a redemption's way has to keep it.
 */
export function summariesOf(db: Queries, project_id: string, customer_ids: readonly string[]) {
  const { redeemed, held, referring, referred, ordered, latest } = countsOfCustomer(
    sql`own.project_id`,
    sql`asked.customer_id`,
  );
  return db.many<CustomerSummary>(sql`
    select asked.customer_id, redeemed.*, held.*, referring.*, referred.*, last_referrals.*, ordered.*, latest.*
      from (select ${project_id}::text as project_id) as own
      cross join unnest(${customer_ids}::text[]) as asked (customer_id) ${redeemed} ${held} ${referring} ${referred} ${ordered} ${latest}`);
}
