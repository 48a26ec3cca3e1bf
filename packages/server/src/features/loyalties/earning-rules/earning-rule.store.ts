import type { Database, Queries, Tx } from "../../../platform/db/database.js";
import { sql } from "../../../platform/db/sql.js";
import { bool, insertInto, jsonb, metadata, sets, table, text, timestamptz } from "../../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../../platform/listing/index.js";
import { window_columns, window_names } from "../../../terms/index.js";
import type { EarningRule } from "./earning-rule.js";
import type { EarningRuleOrder } from "./earning-rule.schemas.js";

const earning_rules = table<EarningRule>("earning_rules", {
  id: text,
  campaign_id: text,
  event: text,
  custom_event_schema_id: text,
  segment_id: text,
  loyalty_tier_id: text,
  loyalty: jsonb,
  pending_points: jsonb,
  expiration_rules: jsonb,
  banner: text,
  active: bool,
  ...window_columns,
  validation_rule_id: text,
  automation_id: text,
  metadata,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const earning_rule_fields = earning_rules.fields;

/** What a person may change, and when they did. */
const editable = [
  "custom_event_schema_id",
  "segment_id",
  "loyalty_tier_id",
  "loyalty",
  "pending_points",
  "expiration_rules",
  "banner",
  "active",
  ...window_names,
  "validation_rule_id",
  "metadata",
  "updated_at",
] as const;

export const findEarningRulesByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<EarningRule>(sql`
    select ${earning_rule_fields} from earning_rules
     where earning_rules.project_id = ${project_id} and earning_rules.id = any(${ids}::text[])`);

export const findEarningRule = (db: Queries, project_id: string, campaign_id: string, id: string) =>
  db.maybe<EarningRule>(sql`
    select ${earning_rule_fields} from earning_rules
     where earning_rules.project_id = ${project_id}
       and earning_rules.campaign_id = ${campaign_id}
       and earning_rules.id = ${id}`);

/** Those that are switched on and wait for events of these names, the oldest first (loyalty.md §4.4). */
export const findActiveRules = (db: Queries, project_id: string, events: readonly string[]) =>
  db.many<EarningRule>(sql`
    select ${earning_rule_fields} from earning_rules
     where earning_rules.project_id = ${project_id}
       and earning_rules.event = any(${events}::text[])
       and earning_rules.active
     order by earning_rules.created_at, earning_rules.id`);

/** Whether there is such a tier, in whatever program: tiers know the rules, so that rules cannot ask them. */
export const isTier = async (db: Queries, project_id: string, id: string): Promise<boolean> =>
  (
    await db.one<{ is_tier: boolean }>(sql`
      select exists (select from loyalty_tiers
                      where loyalty_tiers.project_id = ${project_id} and loyalty_tiers.id = ${id}) as is_tier`)
  ).is_tier;

const sort_keys = {
  created_at: { keys: [sql`earning_rules.created_at`, sql`earning_rules.id`] },
  updated_at: { keys: [sql`coalesce(earning_rules.updated_at, earning_rules.created_at)`, sql`earning_rules.id`] },
};

export const listEarningRules = (
  db: Database,
  project_id: string,
  campaign_id: string,
  order: EarningRuleOrder,
  page: Page,
): Promise<Listed<EarningRule>> =>
  readList<EarningRule>(
    db,
    project_id,
    { table: sql`earning_rules`, fields: earning_rule_fields },
    { conditions: [sql`earning_rules.campaign_id = ${campaign_id}`], order: orderOf(order, sort_keys), page },
  );

export async function insertEarningRules(tx: Tx, project_id: string, rules: readonly EarningRule[]): Promise<void> {
  if (rules.length > 0) await tx.run(insertInto(earning_rules, project_id, rules));
}

/** Writes what a person may change. Runs under the key of the campaign's rules. */
export const updateEarningRule = (tx: Tx, project_id: string, rule: EarningRule) =>
  tx.run(sql`
    update earning_rules set ${sets(earning_rules, rule, editable)}
     where earning_rules.project_id = ${project_id} and earning_rules.id = ${rule.id}`);

export const deleteEarningRule = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from earning_rules where earning_rules.project_id = ${project_id} and earning_rules.id = ${id}`);
