import type { Queries } from "../platform/db/database.js";
import { column, type Sql, sql } from "../platform/db/sql.js";

/** Sums of redemptions: how many, and their money in minor units. Rolled back ones do not count. */
export interface Sums {
  redemptions: number;
  orders_amount: number;
  discount_amount: number;
  gift_credits: number;
}

/** Which redemptions count: of what, by whom, since when. */
export interface Counted {
  scope: { column: "voucher_id" | "promotion_tier_id" | "campaign_id"; id: string };
  customer_id: string | null;
  /** The key or user that made them. */
  channel_id: string | null;
  /** The first local day; null: of all time. */
  since: string | null;
}

/**
 * How a count is found: a campaign's and a tier's of everybody stand in rows a day; the others are counted one by one,
 * through the index on the customer, else through the one on what they are of.
 */
type Way = "days" | "customer" | "customer_in_campaign" | "voucher_id" | "promotion_tier_id";

function wayOf({ scope: { column }, customer_id, channel_id }: Counted): Way {
  if (customer_id !== null) return column === "campaign_id" ? "customer_in_campaign" : "customer";
  if (column === "voucher_id") return column;
  if (channel_id === null) return "days";
  // Its redemptions may be millions, and no counter asks for them.
  if (column === "campaign_id") throw new Error("no rule counts a campaign's redemptions by who made them");
  return column;
}

/** What one way finds; where a count goes another way PostgreSQL sees so first and reads nothing. */
const oneByOne = (project_id: string, way: Exclude<Way, "days">, found: Sql) => sql`
  select 1 as redemptions, redemptions.order_amount as orders_amount, redemptions.discount_amount,
         redemptions.amount as gift_credits
    from redemptions
   where asked.way = ${way}::text and redemptions.project_id = ${project_id} and ${found}
     and redemptions.object = 'redemption' and redemptions.status = 'SUCCEEDED'
     and (asked.channel_id is null or redemptions.channel ->> 'channel_id' = asked.channel_id)
     and (asked.since is null or redemptions.day >= asked.since)`;

/** The sums of all that is counted, in its order, by one statement. */
export async function readCounts(db: Queries, project_id: string, counted: readonly Counted[]): Promise<Sums[]> {
  if (counted.length === 0) return [];
  const rows = counted.map((count) => ({ ...count, way: wayOf(count), object_id: count.scope.id }));
  const own = sql`redemptions.customer_id = asked.customer_id`;
  return db.many<Sums>(sql`
    select found.redemptions, found.orders_amount, found.discount_amount, found.gift_credits
      from unnest(${column(rows, "way")}::text[], ${column(rows, "object_id")}::text[],
                  ${column(rows, "customer_id")}::text[], ${column(rows, "channel_id")}::text[],
                  ${column(rows, "since")}::date[])
             with ordinality as asked (way, object_id, customer_id, channel_id, since, place)
     cross join lateral (
       select coalesce(sum(one.redemptions), 0) as redemptions, coalesce(sum(one.orders_amount), 0) as orders_amount,
              coalesce(sum(one.discount_amount), 0) as discount_amount, coalesce(sum(one.gift_credits), 0) as gift_credits
         from (
           select usage_days.redemptions, usage_days.orders_amount, usage_days.discount_amount, usage_days.gift_credits
             from usage_days
            where asked.way = 'days' and usage_days.project_id = ${project_id}
              and usage_days.object_id = asked.object_id and (asked.since is null or usage_days.day >= asked.since)
           union all
           ${oneByOne(project_id, "customer_in_campaign", sql`${own} and redemptions.campaign_id = asked.object_id`)}
           union all
           -- A customer has few redemptions, a public code has many: written like this no plan begins with the code.
           ${oneByOne(
             project_id,
             "customer",
             sql`${own} and asked.object_id = any(array[redemptions.voucher_id, redemptions.promotion_tier_id])`,
           )}
           union all
           ${oneByOne(project_id, "voucher_id", sql`redemptions.voucher_id = asked.object_id`)}
           union all
           ${oneByOne(project_id, "promotion_tier_id", sql`redemptions.promotion_tier_id = asked.object_id`)}
         ) as one
     ) as found
     order by asked.place`);
}
