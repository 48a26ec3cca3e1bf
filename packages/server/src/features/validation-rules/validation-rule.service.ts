import { writtenEntries } from "@guerdon/engine";
import type { Cause } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { type Change, change, holding } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import { assertSentRight, compiledOf, definitionOf, messageOf } from "./validation-rule.definition.js";
import { assignmentEvent, ruleEvent } from "./validation-rule.events.js";
import type { Assignable, Assignment, ValidationRuleRow } from "./validation-rule.js";
import type {
  ValidationRuleBody,
  ValidationRuleCreate,
  ValidationRuleQuery,
  ValidationRuleUpdate,
} from "./validation-rule.schemas.js";
import {
  countAssignments,
  deleteAssignments,
  deleteRule,
  findAssignmentsTo,
  findRulesByIds,
  insertAssignments,
  insertRule,
  listRules,
  storeReferences,
  updateRule,
} from "./validation-rule.store.js";

const id_length_max = 255;

export async function createRule(
  context: Context,
  call: Call,
  input: ValidationRuleCreate,
): Promise<ValidationRuleBody> {
  return change(context, call, async (change) => {
    const rule = await makeRule(change, input);
    assertSentRight(input);
    return bodyOf(change.tx, call.project_id, rule);
  });
}

/** The same within a change that makes more than the rule. */
export async function makeRule(change: Change, input: ValidationRuleCreate): Promise<ValidationRuleRow> {
  const { tx, tell, edited, cause } = change;
  const rule: ValidationRuleRow = {
    id: newId("val"),
    name: input.name,
    ...definitionOf(input),
    type: input.type ?? "expression",
    context_type: input.context_type ?? "global",
    created_at: cause.instant,
    updated_at: null,
  };
  const references = referencesOf(rule);
  await insertRule(tx, cause.project_id, rule);
  await storeReferences(tx, cause.project_id, rule.id, references);
  tell(ruleEvent(rule, "created"));
  edited({ kind: "validation_rule", id: rule.id });
  return rule;
}

/** Absent fields stay; what is sent is replaced whole (rules.md §1). */
export async function changeRule(
  context: Context,
  call: Call,
  id: string,
  input: ValidationRuleUpdate,
): Promise<ValidationRuleBody> {
  return change(context, call, async (change) => {
    const stored = await lockRule(change, id);
    const rule: ValidationRuleRow = {
      ...stored,
      name: input.name ?? stored.name,
      rules: input.rules ?? stored.rules,
      bundle_rules: input.bundle_rules === undefined ? stored.bundle_rules : input.bundle_rules,
      applicable_to: input.applicable_to ?? stored.applicable_to,
      error: input.error === undefined ? stored.error : messageOf(input.error),
      type: input.type ?? stored.type,
      context_type: input.context_type ?? stored.context_type,
      updated_at: call.instant,
    };
    const references = referencesOf(rule);
    assertSentRight(input);
    await updateRule(change.tx, call.project_id, rule);
    await storeReferences(change.tx, call.project_id, rule.id, references);
    change.tell(ruleEvent(rule, "updated"));
    change.edited({ kind: "validation_rule", id: rule.id });
    return bodyOf(change.tx, call.project_id, rule);
  });
}

/** Its assignments go with it (rules.md §1). */
export async function removeRule(context: Context, call: Call, id: string): Promise<void> {
  await change(context, call, async (change) => {
    const stored = await lockRule(change, id);
    await deleteRule(change.tx, call.project_id, id);
    change.tell(ruleEvent(stored, "deleted"));
    // Whatever it held for is judged without it from now on.
    change.edited({ kind: "validation_rule", id });
  });
}

export async function readRule({ db }: Context, call: Call, id: string): Promise<ValidationRuleBody> {
  const [rule] = await findRulesByIds(db, call.project_id, [id]);
  if (!rule) throw problems.notFound("validation_rules", id);
  return bodyOf(db, call.project_id, rule);
}

export async function readRules({ db }: Context, call: Call, query: ValidationRuleQuery) {
  const created = { start: instantOrNull(query.start_date), end: instantOrNull(query.end_date) };
  const page = pageOf(query);
  const listed = await listRules(db, call.project_id, created, query.order ?? "-created_at", page);
  return listBody("data", await toRuleBodies(db, call.project_id, listed.rows), countsOf(listed, page));
}

/** The rules with these ids, each once; an id that no rule of the project has is a 404. */
async function knownRules(db: Queries, project_id: string, ids: readonly string[]): Promise<ValidationRuleRow[]> {
  const rules = new Map((await findRulesByIds(db, project_id, ids)).map((rule) => [rule.id, rule]));
  return [...new Set(ids)].map((id) => {
    const rule = rules.get(id);
    if (!rule) throw problems.notFound("validation_rules", id);
    return rule;
  });
}

/** Assigns rules to an object that has just been made, in its change; an unknown rule is a 404 (rules.md §10). */
export async function assignRules(
  change: Change,
  rule_ids: readonly string[],
  object: { id: string; type: Assignable },
): Promise<Assignment[]> {
  if (rule_ids.length === 0) return [];
  const rules = await knownRules(change.tx, change.cause.project_id, rule_ids);
  return assignEach(
    change,
    rules.map((rule) => ({ rule, object })),
  );
}

/** The same for many objects, each with a rule that is known. */
export async function assignEach(
  { tx, cause, tell }: Pick<Change, "tx" | "cause" | "tell">,
  pairs: readonly { rule: ValidationRuleRow; object: { id: string; type: Assignable } }[],
): Promise<Assignment[]> {
  if (pairs.length === 0) return [];
  const made = pairs.map(({ rule, object }) => ({ rule, assignment: newAssignment(cause, rule.id, object) }));
  const assignments = made.map(({ assignment }) => assignment);
  await insertAssignments(tx, cause.project_id, assignments);
  tell(...made.map(({ rule, assignment }) => assignmentEvent(rule, assignment, "created")));
  return assignments;
}

/** Takes assignments away, and tells whose they were. */
export async function dropAssignments(
  { tx, cause: { project_id }, tell }: Change,
  assignments: readonly Assignment[],
): Promise<void> {
  if (assignments.length === 0) return;
  const rule_ids = assignments.map(({ rule_id }) => rule_id);
  const rules = new Map((await findRulesByIds(tx, project_id, rule_ids)).map((rule) => [rule.id, rule]));
  await deleteAssignments(
    tx,
    project_id,
    assignments.map(({ id }) => id),
  );
  for (const assignment of assignments) {
    const rule = rules.get(assignment.rule_id);
    if (rule) tell(assignmentEvent(rule, assignment, "deleted"));
  }
}

/** Makes these the rules of an object, in its change; those that it has already stay assigned as they are. */
export async function setRules(
  change: Change,
  rule_ids: readonly string[] | undefined,
  object: { id: string; type: Assignable },
): Promise<void> {
  if (rule_ids === undefined) return;
  const known = await findAssignmentsTo(change.tx, change.cause.project_id, [object.id]);
  const kept = new Set(known.map(({ rule_id }) => rule_id));
  await dropAssignments(
    change,
    known.filter(({ rule_id }) => !rule_ids.includes(rule_id)),
  );
  await assignRules(
    change,
    rule_ids.filter((id) => !kept.has(id)),
    object,
  );
}

function newAssignment(
  { instant }: Cause,
  rule_id: string,
  { id, type }: { id: string; type: Assignable },
): Assignment {
  return {
    id: newId("asgm"),
    rule_id,
    related_object_id: id,
    related_object_type: type,
    created_at: instant,
  };
}

async function lockRule({ tx, cause: { project_id } }: Change, id: string): Promise<ValidationRuleRow> {
  const key = { project_id, kind: "name" as const, id: `validation rule ${id}` };
  const [rule] = await holding(tx, [key], () => findRulesByIds(tx, project_id, [id]));
  if (!rule) throw problems.notFound("validation_rules", id);
  return rule;
}

/** The segments and collections that a rule asks about (rules.md §17.4); refuses a definition that is no rule. */
function referencesOf(source: ValidationRuleRow): string[] {
  const { segments, collections } = compiledOf(source);
  // Whatever a caller wrote may stand here; a longer text names nothing of ours, and the index could not hold it.
  return [...new Set([...segments, ...collections])].filter((id) => id.length <= id_length_max);
}

async function bodyOf(db: Queries, project_id: string, rule: ValidationRuleRow): Promise<ValidationRuleBody> {
  const [body] = await toRuleBodies(db, project_id, [rule]);
  if (!body) throw new Error("a rule has one body");
  return body;
}

/** Rules as answered, with how much they are assigned to. */
export async function toRuleBodies(
  db: Queries,
  project_id: string,
  rules: readonly ValidationRuleRow[],
): Promise<ValidationRuleBody[]> {
  const ids = rules.map(({ id }) => id);
  const counts = new Map(
    (await countAssignments(db, project_id, ids)).map(({ rule_id, assignments }) => [rule_id, assignments]),
  );
  return rules.map((rule) => toRuleBody(rule, counts.get(rule.id) ?? 0));
}

function toRuleBody(rule: ValidationRuleRow, assignments_count: number): ValidationRuleBody {
  const { included, excluded, included_all } = rule.applicable_to;
  return {
    id: rule.id,
    name: rule.name,
    rules: shownRules(rule.rules),
    bundle_rules: rule.bundle_rules ?? {},
    applicable_to: {
      included: withEffects(included),
      excluded: withEffects(excluded),
      included_all: included_all === true,
    },
    ...(rule.error ? { error: rule.error } : {}),
    type: rule.type,
    context_type: rule.context_type,
    ...(assignments_count === 0 ? {} : { assignments_count }),
    created_at: isoOf(rule.created_at),
    updated_at: isoOf(rule.updated_at),
    object: "validation_rules",
  };
}

/** Every entry shows an effect, said or not (rules.md §9). */
const withEffects = (entries: unknown) =>
  (writtenEntries(entries) as Record<string, unknown>[]).map((entry) => ({ effect: "APPLY_TO_EVERY", ...entry }));

/** Every leaf shows its `property` and its nested `rules`, given or not (rules.md §2). */
function shownRules(rules: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(rules).map(([key, value]) => {
      if (key === "logic" || typeof value !== "object" || value === null) return [key, value];
      const leaf = value as Record<string, unknown>;
      const nested = (leaf.rules ?? {}) as Record<string, unknown>;
      return [key, { ...leaf, property: leaf.property ?? null, rules: shownRules(nested) }];
    }),
  );
}
