import type { Instant } from "../../platform/clock.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { insertInto, json, sets, table, text, timestamptz } from "../../platform/db/table.js";
import { isWithin } from "../../platform/http/lists.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { Assignment, ValidationRuleRow } from "./validation-rule.js";

const validation_rules = table<ValidationRuleRow>("validation_rules", {
  id: text,
  name: text,
  rules: json,
  bundle_rules: json,
  applicable_to: json,
  error: json,
  type: text,
  context_type: text,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const { fields } = validation_rules;

const validation_rules_assignments = table<Assignment>("validation_rules_assignments", {
  id: text,
  rule_id: text,
  related_object_id: text,
  related_object_type: text,
  created_at: timestamptz,
});
const assignment_fields = validation_rules_assignments.fields;

/** What a person may change, and when they did. */
const editable = [
  "name",
  "rules",
  "bundle_rules",
  "applicable_to",
  "error",
  "type",
  "context_type",
  "updated_at",
] as const;

/** What compiling a rule needs: `rules`, `bundle_rules`, `applicable_to`, `error`. */
const rule_text = sql`
  validation_rules.id,
  json_build_array(validation_rules.rules, validation_rules.bundle_rules, validation_rules.applicable_to,
                   validation_rules.error)::text as text`;

/** A page of the rules in the order of their ids: what a catalogue begins with. */
export const ruleTextsAfter = (project_id: string, after_id: string, limit: number) =>
  sql`
    select ${rule_text} from validation_rules
     where validation_rules.project_id = ${project_id} and validation_rules.id > ${after_id}
     order by validation_rules.id
     limit ${limit}`;

export const ruleTextsOfIds = (project_id: string, ids: readonly string[]) =>
  sql`
    select ${rule_text} from validation_rules
     where validation_rules.project_id = ${project_id} and validation_rules.id = any(${ids}::text[])`;

const assignedTexts = (project_id: string, which: Sql, last: Sql) => sql`
  select validation_rules_assignments.related_object_id as id,
         json_agg(validation_rules_assignments.rule_id order by validation_rules_assignments.id)::text as text
    from validation_rules_assignments
   where validation_rules_assignments.project_id = ${project_id}
     and validation_rules_assignments.related_object_type in ('campaign', 'promotion_tier', 'reward_assignment')
     and validation_rules_assignments.related_object_id ${which}
   group by validation_rules_assignments.related_object_id
   order by validation_rules_assignments.related_object_id ${last}`;

/** Rules by the object they are assigned to, the oldest assignment first; of objects that catalogues know. */
export const assignedTextsAfter = (project_id: string, after_id: string, limit: number) =>
  assignedTexts(project_id, sql`> ${after_id}`, sql`limit ${limit}`);

export const assignedTextsOfIds = (project_id: string, ids: readonly string[]) =>
  assignedTexts(project_id, sql`= any(${ids}::text[])`, sql``);

export const findRulesByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<ValidationRuleRow>(sql`
    select ${fields} from validation_rules
     where validation_rules.project_id = ${project_id} and validation_rules.id = any(${ids}::text[])`);

export const insertRule = (tx: Tx, project_id: string, rule: ValidationRuleRow) =>
  tx.run(insertInto(validation_rules, project_id, [rule]));

export const updateRule = (tx: Tx, project_id: string, rule: ValidationRuleRow) =>
  tx.run(sql`
    update validation_rules set ${sets(validation_rules, rule, editable)}
     where validation_rules.project_id = ${project_id} and validation_rules.id = ${rule.id}`);

export const deleteRule = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from validation_rules where validation_rules.project_id = ${project_id} and validation_rules.id = ${id}`);

/** What the rule refers to from now on, in place of what it referred to before. */
export const storeReferences = (tx: Tx, project_id: string, rule_id: string, references: readonly string[]) =>
  tx.run(sql`
    with dropped as (
      delete from validation_rule_references
       where validation_rule_references.project_id = ${project_id} and validation_rule_references.rule_id = ${rule_id}
         and validation_rule_references.refers_to <> all(${references}::text[])
    )
    insert into validation_rule_references (project_id, refers_to, rule_id)
    select ${project_id}, reference.id, ${rule_id} from unnest(${references}::text[]) as reference (id)
    on conflict do nothing`);

/** Ids of the rules that ask about a segment or product collection, oldest first (rules.md §17.4). */
export async function findRulesReferringTo(db: Queries, project_id: string, id: string): Promise<string[]> {
  const rules = await db.many<{ id: string }>(sql`
    select validation_rules.id
      from validation_rule_references
      join validation_rules
        on validation_rules.project_id = ${project_id} and validation_rules.id = validation_rule_references.rule_id
     where validation_rule_references.project_id = ${project_id} and validation_rule_references.refers_to = ${id}
     order by validation_rules.created_at, validation_rules.id`);
  return rules.map((rule) => rule.id);
}

type RuleOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at" | "name" | "-name";

const rule_keys = {
  created_at: { keys: [sql`validation_rules.created_at`, sql`validation_rules.id`] },
  updated_at: {
    keys: [sql`coalesce(validation_rules.updated_at, validation_rules.created_at)`, sql`validation_rules.id`],
  },
  name: { keys: [sql`validation_rules.name`, sql`validation_rules.id`] },
};

export const listRules = (
  db: Database,
  project_id: string,
  created: { start: Instant | null; end: Instant | null },
  order: RuleOrder,
  page: Page,
): Promise<Listed<ValidationRuleRow>> =>
  readList<ValidationRuleRow>(
    db,
    project_id,
    { table: sql`validation_rules`, fields: fields },
    { conditions: isWithin(sql`validation_rules.created_at`, created), order: orderOf(order, rule_keys), page },
  );

export const countAssignments = (db: Queries, project_id: string, rule_ids: readonly string[]) =>
  db.many<{ rule_id: string; assignments: number }>(sql`
    select validation_rules_assignments.rule_id, count(*) as assignments
      from validation_rules_assignments
     where validation_rules_assignments.project_id = ${project_id}
       and validation_rules_assignments.rule_id = any(${rule_ids}::text[])
     group by validation_rules_assignments.rule_id`);

/** Assignments to the objects, oldest first. */
export const findAssignmentsTo = (db: Queries, project_id: string, object_ids: readonly string[]) =>
  db.many<Assignment>(sql`
    select ${assignment_fields} from validation_rules_assignments
     where validation_rules_assignments.project_id = ${project_id}
       and validation_rules_assignments.related_object_id = any(${object_ids}::text[])
     order by validation_rules_assignments.id`);

export const findAssignment = (db: Queries, project_id: string, id: string) =>
  db.maybe<Assignment>(sql`
    select ${assignment_fields} from validation_rules_assignments
     where validation_rules_assignments.project_id = ${project_id} and validation_rules_assignments.id = ${id}`);

export const insertAssignments = (tx: Tx, project_id: string, assignments: readonly Assignment[]) =>
  tx.run(insertInto(validation_rules_assignments, project_id, assignments));

export const deleteAssignments = (tx: Tx, project_id: string, ids: readonly string[]) =>
  tx.run(sql`
    delete from validation_rules_assignments
     where validation_rules_assignments.project_id = ${project_id}
       and validation_rules_assignments.id = any(${ids}::text[])`);

const assignment_keys = {
  created_at: { keys: [sql`validation_rules_assignments.created_at`, sql`validation_rules_assignments.id`] },
};

export function listAssignments(
  db: Database,
  project_id: string,
  filter: { rule_id?: string; related_object_id?: string },
  order: "created_at" | "-created_at",
  page: Page,
): Promise<Listed<Assignment>> {
  const conditions: Sql[] = [];
  if (filter.rule_id !== undefined) conditions.push(sql`validation_rules_assignments.rule_id = ${filter.rule_id}`);
  if (filter.related_object_id !== undefined) {
    conditions.push(sql`validation_rules_assignments.related_object_id = ${filter.related_object_id}`);
  }
  return readList<Assignment>(
    db,
    project_id,
    { table: sql`validation_rules_assignments`, fields: assignment_fields },
    { conditions, order: orderOf(order, assignment_keys), page },
  );
}
