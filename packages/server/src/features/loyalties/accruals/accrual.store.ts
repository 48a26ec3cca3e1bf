import { type Instant, isoOf } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { column, type Sql, sql } from "../../../platform/db/sql.js";
import { type Campaign, findCampaignsByIds } from "../../campaigns/index.js";
import { type EarningRule, findActiveRules } from "../earning-rules/index.js";

/** Of rows `gone` of the outbox, those that set off a rule of their project. */
export const has_rules: Sql = sql`
  exists (select from earning_rules
           where earning_rules.project_id = gone.project_id
             and earning_rules.active
             and case gone.type
                   when 'customer.custom_event' then earning_rules.custom_event_schema_id is not null
                   when 'customer.order.paid' then earning_rules.event = 'order.paid'
                   else earning_rules.event = gone.type
                 end)`;

/** An event of a customer, and the request that caused it. */
interface Caused {
  event_id: string;
  customer_id: string;
  group_id: string;
  created_at: Instant;
}

/** Of events, those before which one request has moved the customer between tiers as often as that. */
export const findFarFetched = async (
  db: Queries,
  project_id: string,
  caused: readonly Caused[],
  moves_max: number,
): Promise<string[]> =>
  (
    await db.many<{ event_id: string }>(sql`
      select caused.event_id
        from unnest(${column(caused, "event_id")}::text[], ${column(caused, "customer_id")}::text[],
                    ${column(caused, "group_id")}::text[],
                    ${caused.map(({ created_at }) => isoOf(created_at))}::timestamptz[])
               as caused (event_id, customer_id, group_id, created_at)
       where (select count(*) from (
               select from events
                where events.project_id = ${project_id} and events.customer_id = caused.customer_id
                  -- What follows from each other does so within the hour; the bound spares the older partitions.
                  and events.created_at between caused.created_at - interval '1 hour' and caused.created_at
                  and events.group_id = caused.group_id and events.type = any(${tier_moves}::text[])
                limit ${moves_max + 1}) as moves) > ${moves_max}`)
  ).map(({ event_id }) => event_id);

const tier_moves = ["joined", "left", "upgraded", "downgraded", "prolonged"].map(
  (move) => `customer.loyalty.tier.${move}`,
);

/** A rule with its campaign. */
export interface ProgramRule extends EarningRule {
  campaign: Campaign;
}

/** Rules of live campaigns that events of these names set off, the oldest first (loyalty.md §4.4). */
export async function findRulesOfEvents(
  db: Queries,
  project_id: string,
  events: readonly string[],
): Promise<ProgramRule[]> {
  const rules = await findActiveRules(db, project_id, events);
  const campaign_ids = [...new Set(rules.map(({ campaign_id }) => campaign_id))];
  const found = campaign_ids.length === 0 ? [] : await findCampaignsByIds(db, project_id, campaign_ids);
  const campaigns = new Map(found.map((campaign) => [campaign.id, campaign]));
  return rules.flatMap((rule) => {
    const campaign = campaigns.get(rule.campaign_id);
    return campaign ? { ...rule, campaign } : [];
  });
}

/** A card, as far as finding it goes. */
export interface FoundCard {
  id: string;
  code_key: string;
  campaign_id: string;
  holder_id: string;
}

/** The cards that customers hold in campaigns, and the cards with these codes; all of them with a holder. */
export const findCards = (
  db: Queries,
  project_id: string,
  wanted: { customer_ids: readonly string[]; campaign_ids: readonly string[]; code_keys: readonly string[] },
) =>
  db.many<FoundCard>(sql`
    select vouchers.id, vouchers.code_key, vouchers.campaign_id, vouchers.holder_id from vouchers
     where vouchers.project_id = ${project_id}
       and vouchers.holder_id = any(${wanted.customer_ids}::text[])
       and vouchers.campaign_id = any(${wanted.campaign_ids}::text[])
       and vouchers.type = 'LOYALTY_CARD'
       and vouchers.deleted_at is null
    union
    select vouchers.id, vouchers.code_key, vouchers.campaign_id, vouchers.holder_id from vouchers
     where vouchers.project_id = ${project_id}
       and vouchers.code_key = any(${wanted.code_keys}::text[])
       and vouchers.type = 'LOYALTY_CARD'
       and vouchers.holder_id is not null
       and vouchers.deleted_at is null`);
