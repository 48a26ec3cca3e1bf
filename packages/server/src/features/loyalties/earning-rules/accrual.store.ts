import type { Instant } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import type { Campaign } from "../../campaigns/index.js";
import type { CustomEventData } from "../../custom-events/index.js";
import type { EarningRule } from "./earning-rule.js";
import { earning_rule_fields } from "./earning-rule.store.js";

/** An event that may earn points. */
export interface EarningTask {
  project_id: string;
  event_id: string;
  customer_id: string | null;
  /** The request that caused it. */
  group_id: string;
  data: CustomEventData;
  created_at: Instant;
}

/** A rule with what its campaign says of it. */
export interface ProgramRule extends EarningRule {
  campaign: Pick<Campaign, "id" | "active" | "auto_join" | "start_date" | "expiration_date">;
}

/** Rules of live campaigns that custom events of these names set off, the oldest first (loyalty.md §4.4). */
export async function findRulesOfEvents(
  db: Queries,
  project_id: string,
  events: readonly string[],
): Promise<ProgramRule[]> {
  const rows = await db.many<
    EarningRule & {
      campaign_active: boolean;
      campaign_auto_join: boolean;
      campaign_start_date: number | null;
      campaign_expiration_date: number | null;
    }
  >(sql`
    select ${earning_rule_fields}, campaigns.active as campaign_active, campaigns.auto_join as campaign_auto_join,
           campaigns.start_date as campaign_start_date, campaigns.expiration_date as campaign_expiration_date
      from earning_rules
      join campaigns on campaigns.project_id = earning_rules.project_id and campaigns.id = earning_rules.campaign_id
     where earning_rules.project_id = ${project_id}
       and earning_rules.event = any(${events}::text[])
       and earning_rules.custom_event_schema_id is not null
       and earning_rules.active
       and campaigns.deleted_at is null
     order by earning_rules.created_at, earning_rules.id`);
  return rows.map((row) => {
    const { campaign_active, campaign_auto_join, campaign_start_date, campaign_expiration_date, ...rule } = row;
    return {
      ...rule,
      campaign: {
        id: rule.campaign_id,
        active: campaign_active,
        auto_join: campaign_auto_join,
        start_date: campaign_start_date,
        expiration_date: campaign_expiration_date,
      },
    };
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
