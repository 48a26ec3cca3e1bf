import { compileRule, writtenEntries } from "@guerdon/engine";
import { appendEvents } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/database.js";
import { instantOrNull } from "../../platform/http/dates.js";
import { listBody } from "../../platform/http/lists.js";
import { problems, refusal } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { lockKeys } from "../../platform/locks.js";
import { recordEdits } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import type { Assignable, Assignment, ValidationRuleRow } from "./validation-rule.js";
import type {
  ValidationRuleBody,
  ValidationRuleCreate,
  ValidationRuleQuery,
  ValidationRuleUpdate,
} from "./validation-rule.schemas.js";
import {
  countAssignments,
  deleteRule,
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
  const rule: ValidationRuleRow = {
    id: newId("val"),
    name: input.name,
    rules: input.rules ?? { logic: "" },
    bundle_rules: input.bundle_rules ?? null,
    applicable_to: input.applicable_to ?? {},
    error: messageOf(input.error),
    type: input.type ?? "expression",
    context_type: input.context_type ?? "global",
    created_at: call.instant,
    updated_at: null,
  };
  const references = referencesOf(rule);
  return context.db.transaction(async (tx) => {
    await insertRule(tx, call.project_id, rule);
    await storeReferences(tx, call.project_id, rule.id, references);
    return store(tx, call, rule, "created");
  });
}

/** Absent fields stay; what is sent is replaced whole (rules.md §1). */
export async function changeRule(
  context: Context,
  call: Call,
  id: string,
  input: ValidationRuleUpdate,
): Promise<ValidationRuleBody> {
  return context.db.transaction(async (tx) => {
    const stored = await lockRule(tx, call, id);
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
    await updateRule(tx, call.project_id, rule);
    await storeReferences(tx, call.project_id, rule.id, references);
    return store(tx, call, rule, "updated");
  });
}

/** Its assignments go with it (rules.md §1). */
export async function removeRule(context: Context, call: Call, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const stored = await lockRule(tx, call, id);
    const [body] = await toRuleBodies(tx, call.project_id, [stored]);
    await deleteRule(tx, call.project_id, id);
    const data = { rule: body, deleted_at: isoOf(call.instant) };
    await appendEvents(tx, call, [{ type: "business_validation_rule.deleted", entity_id: id, data }]);
    // Whatever it held for is judged without it from now on.
    await recordEdits(tx, call.project_id, [{ kind: "validation_rule", id }]);
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

/** Refuses an id that no rule of the project has. */
export async function assertRulesExist(db: Queries, project_id: string, rule_ids: readonly string[]): Promise<void> {
  const known = new Set((await findRulesByIds(db, project_id, rule_ids)).map(({ id }) => id));
  const unknown = rule_ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw problems.notFound("validation_rules", unknown);
}

/** Assigns rules to an object that has just been made, in its transaction; an unknown rule is a 404 (rules.md §10). */
export async function assignRules(
  tx: Tx,
  call: Call,
  rule_ids: readonly string[],
  object: { id: string; type: Assignable },
): Promise<Assignment[]> {
  if (rule_ids.length === 0) return [];
  await assertRulesExist(tx, call.project_id, rule_ids);
  const assignments = [...new Set(rule_ids)].map((rule_id) => newAssignment(call, rule_id, object));
  await insertAssignments(tx, call.project_id, assignments);
  await appendEvents(
    tx,
    call,
    assignments.map((assignment) => assignmentEvent(assignment, "created")),
  );
  return assignments;
}

export function newAssignment(call: Call, rule_id: string, { id, type }: { id: string; type: Assignable }): Assignment {
  return {
    id: newId("asgm"),
    rule_id,
    related_object_id: id,
    related_object_type: type,
    created_at: call.instant,
  };
}

export const assignmentEvent = (assignment: Assignment, verb: "created" | "deleted") => ({
  type: `business_validation_rule.assignment.${verb}` as const,
  entity_id: assignment.rule_id,
  data: { assignment },
});

async function lockRule(tx: Tx, call: Call, id: string): Promise<ValidationRuleRow> {
  await lockKeys(tx, [{ project_id: call.project_id, kind: "name", id: `validation rule ${id}` }]);
  const [rule] = await findRulesByIds(tx, call.project_id, [id]);
  if (!rule) throw problems.notFound("validation_rules", id);
  return rule;
}

/** The segments and collections that a rule asks about (rules.md §17.4); refuses a definition that is no rule. */
function referencesOf(source: ValidationRuleRow): string[] {
  const compiled = compileRule(source);
  if ("fault" in compiled) {
    const { details, path } = compiled.fault;
    // The details are texts of the reference; ours is to say where it is.
    throw refusal(400, "invalid_validation_rules", "Invalid Validation Rule Definition", details, { path });
  }
  const { segments, collections } = compiled.rule;
  // Whatever a caller wrote may stand here; a longer text names nothing of ours, and the index could not hold it.
  return [...new Set([...segments, ...collections])].filter((id) => id.length <= id_length_max);
}

function messageOf(error: { message?: string | null } | null | undefined): ValidationRuleRow["error"] {
  return error?.message ? { message: error.message } : null;
}

async function store(
  tx: Tx,
  call: Call,
  rule: ValidationRuleRow,
  verb: "created" | "updated",
): Promise<ValidationRuleBody> {
  const body = await bodyOf(tx, call.project_id, rule);
  await appendEvents(tx, call, [
    { type: `business_validation_rule.${verb}`, entity_id: rule.id, data: { rule: body } },
  ]);
  await recordEdits(tx, call.project_id, [{ kind: "validation_rule", id: rule.id }]);
  return body;
}

async function bodyOf(db: Queries, project_id: string, rule: ValidationRuleRow): Promise<ValidationRuleBody> {
  const [body] = await toRuleBodies(db, project_id, [rule]);
  if (!body) throw new Error("a rule has one body");
  return body;
}

async function toRuleBodies(
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
