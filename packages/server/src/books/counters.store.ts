import type { Queries } from "../platform/database.js";
import { all } from "../platform/http/lists.js";
import { type Sql, sql } from "../platform/sql.js";

/** Sums of redemptions: how many, and their money in minor units. */
export interface Sums {
  redemptions: number;
  orders_amount: number;
  discount_amount: number;
  gift_credits: number;
}

/** A campaign's or tier's redemptions since a local day, from the rows a day; null: of all time. */
export const sumOfDays = (db: Queries, project_id: string, object_id: string, since: string | null) =>
  db.one<Sums>(sql`
    select coalesce(sum(usage_days.redemptions), 0) as redemptions,
           coalesce(sum(usage_days.orders_amount), 0) as orders_amount,
           coalesce(sum(usage_days.discount_amount), 0) as discount_amount,
           coalesce(sum(usage_days.gift_credits), 0) as gift_credits
      from usage_days
     where usage_days.project_id = ${project_id} and usage_days.object_id = ${object_id}
       and (${since}::date is null or usage_days.day >= ${since}::date)`);

/** Which redemptions count: of what, by whom, since when. */
export interface Counted {
  scope: { column: "voucher_id" | "promotion_tier_id" | "campaign_id"; id: string };
  customer_id: string | null;
  /** The key or user that made them. */
  channel_id: string | null;
  since: string | null;
}

const columns = {
  voucher_id: sql`redemptions.voucher_id`,
  promotion_tier_id: sql`redemptions.promotion_tier_id`,
  campaign_id: sql`redemptions.campaign_id`,
};

/**
 * Counts redemptions one by one, through the index on the customer, else on what they are of; rolled back ones do not
 * count.
 */
export function countRedemptions(db: Queries, project_id: string, { scope, customer_id, channel_id, since }: Counted) {
  const column = columns[scope.column];
  // A customer has few redemptions, a public code has many: written like this no plan begins with the code. A campaign and
  // a customer together have an index of their own.
  const by_customer = customer_id !== null && scope.column !== "campaign_id";
  const conditions: Sql[] = [by_customer ? sql`${scope.id} = any(array[${column}])` : sql`${column} = ${scope.id}`];
  if (customer_id !== null) conditions.push(sql`redemptions.customer_id = ${customer_id}`);
  if (channel_id !== null) conditions.push(sql`redemptions.channel ->> 'channel_id' = ${channel_id}`);
  if (since !== null) conditions.push(sql`redemptions.day >= ${since}::date`);
  return db.one<Sums>(sql`
    select count(*) as redemptions, coalesce(sum(redemptions.order_amount), 0) as orders_amount,
           coalesce(sum(redemptions.discount_amount), 0) as discount_amount,
           coalesce(sum(redemptions.amount), 0) as gift_credits
      from redemptions
     where redemptions.project_id = ${project_id} and redemptions.object = 'redemption'
       and redemptions.status = 'SUCCEEDED' and ${all(conditions)}`);
}
