import { isoOf } from "../../../platform/clock.js";
import type { Queries, Tx } from "../../../platform/database.js";
import { orderBy, type Page } from "../../../platform/http/lists.js";
import { jsonOf, sql } from "../../../platform/sql.js";
import { windowColumns } from "../../../terms/index.js";
import type { EarningRule } from "./earning-rule.js";
import type { EarningRuleOrder } from "./earning-rule.schemas.js";

export const earning_rule_fields = sql`
  earning_rules.id, earning_rules.campaign_id, earning_rules.event, earning_rules.custom_event_schema_id,
  earning_rules.segment_id, earning_rules.loyalty_tier_id, earning_rules.loyalty, earning_rules.pending_points,
  earning_rules.expiration_rules, earning_rules.banner, earning_rules.active, earning_rules.start_date,
  earning_rules.expiration_date, earning_rules.validity_timeframe, earning_rules.validity_day_of_week,
  earning_rules.validity_hours, earning_rules.validation_rule_id, earning_rules.automation_id, earning_rules.metadata,
  earning_rules.created_at, earning_rules.updated_at`;

export const findEarningRule = (db: Queries, project_id: string, campaign_id: string, id: string) =>
  db.maybe<EarningRule>(sql`
    select ${earning_rule_fields} from earning_rules
     where earning_rules.project_id = ${project_id}
       and earning_rules.campaign_id = ${campaign_id}
       and earning_rules.id = ${id}`);

export async function listEarningRules(
  db: Queries,
  project_id: string,
  campaign_id: string,
  order: EarningRuleOrder,
  page: Page,
): Promise<{ rules: EarningRule[]; total: number }> {
  const columns = {
    created_at: sql`earning_rules.created_at`,
    updated_at: sql`coalesce(earning_rules.updated_at, earning_rules.created_at)`,
  };
  const [rules, { total }] = await Promise.all([
    db.many<EarningRule>(sql`
      select ${earning_rule_fields} from earning_rules
       where earning_rules.project_id = ${project_id} and earning_rules.campaign_id = ${campaign_id}
       order by ${orderBy(order, columns, sql`earning_rules.id`)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`
      select count(*) as total from earning_rules
       where earning_rules.project_id = ${project_id} and earning_rules.campaign_id = ${campaign_id}`),
  ]);
  return { rules, total };
}

/** A hundred at most come at once, so they are written one by one. */
export async function insertEarningRules(tx: Tx, project_id: string, rules: readonly EarningRule[]): Promise<void> {
  for (const rule of rules) {
    const window = windowColumns(rule);
    await tx.run(sql`
      insert into earning_rules (project_id, id, campaign_id, event, custom_event_schema_id, segment_id, loyalty_tier_id,
        loyalty, pending_points, expiration_rules, banner, active, start_date, expiration_date, validity_timeframe,
        validity_day_of_week, validity_hours, validation_rule_id, automation_id, metadata, created_at)
      values (${project_id}, ${rule.id}, ${rule.campaign_id}, ${rule.event}, ${rule.custom_event_schema_id},
        ${rule.segment_id}, ${rule.loyalty_tier_id}, ${jsonOf(rule.loyalty)}, ${jsonOf(rule.pending_points)},
        ${jsonOf(rule.expiration_rules)}, ${rule.banner}, ${rule.active}, ${window.start_date},
        ${window.expiration_date}, ${window.validity_timeframe}, ${window.validity_day_of_week},
        ${window.validity_hours}, ${rule.validation_rule_id}, ${rule.automation_id}, ${jsonOf(rule.metadata)},
        ${isoOf(rule.created_at)})`);
  }
}

/** Writes what a person may change. Runs under the key of the campaign's rules. */
export async function updateEarningRule(tx: Tx, project_id: string, rule: EarningRule): Promise<void> {
  const window = windowColumns(rule);
  await tx.run(sql`
    update earning_rules
       set custom_event_schema_id = ${rule.custom_event_schema_id}, segment_id = ${rule.segment_id},
           loyalty_tier_id = ${rule.loyalty_tier_id}, loyalty = ${jsonOf(rule.loyalty)},
           pending_points = ${jsonOf(rule.pending_points)}, expiration_rules = ${jsonOf(rule.expiration_rules)},
           banner = ${rule.banner}, active = ${rule.active}, start_date = ${window.start_date},
           expiration_date = ${window.expiration_date}, validity_timeframe = ${window.validity_timeframe},
           validity_day_of_week = ${window.validity_day_of_week}, validity_hours = ${window.validity_hours},
           validation_rule_id = ${rule.validation_rule_id}, metadata = ${jsonOf(rule.metadata)},
           updated_at = ${isoOf(rule.updated_at)}
     where earning_rules.project_id = ${project_id} and earning_rules.id = ${rule.id}`);
}

export const deleteEarningRule = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from earning_rules where earning_rules.project_id = ${project_id} and earning_rules.id = ${id}`);
