import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { type Change, change, holding } from "../../recording/index.js";
import { findCampaign } from "../campaigns/index.js";
import { lockAskedRule } from "../loyalties/earning-rules/index.js";
import type { Call } from "../projects/index.js";
import { findTiersByIds } from "../promotions/index.js";
import { findAssignment as findRewardAssignment } from "../rewards/index.js";
import {
  type Assignable,
  type Assignment,
  assignRules,
  dropAssignments,
  findAssignment,
  findAssignmentsTo,
  findRulesByIds,
  listAssignments,
  ruleAssignments,
} from "../validation-rules/index.js";
import { codeKey, findVoucher } from "../vouchers/index.js";
import type { AssignmentBody, AssignmentInput, AssignmentQuery, RuleAssignmentQuery } from "./assignment.schemas.js";

/** What a rule is assigned to, with the campaign whose catalogue entry shows it. */
interface Target {
  id: string;
  type: Assignable;
  /** Writes the rule where the object itself says which it has. */
  keep?: (rule_id: string | null) => Promise<unknown>;
}

/**
 * Assigns a rule. A voucher or campaign has one rule of its own; assigning the same again, or another, is a duplicate
 * unless `force` puts it in the old one's place (rules.md §10).
 */
export async function createAssignment(
  context: Context,
  call: Call,
  rule_id: string,
  input: AssignmentInput,
  force: boolean,
): Promise<AssignmentBody> {
  const { project_id } = call;
  return change(context, call, async (change) => {
    const { tx } = change;
    await assertRule(tx, project_id, rule_id);
    const target = await findTarget(change, call, input);
    const key = assignedKey(project_id, target.id);
    const known = await holding(tx, [key], () => findAssignmentsTo(tx, project_id, [target.id]));
    const in_the_way = known.filter((one) => one.rule_id === rule_id || !takesSeveral(target.type));
    const [first] = in_the_way;
    if (first && !force) throw problems.duplicate("validation_rules_assignment", first.id);
    await dropAssignments(change, in_the_way);
    const [assignment] = await assignRules(change, [rule_id], target);
    if (!assignment) throw new Error("one rule makes one assignment");
    await tellOf(change, target, rule_id);
    return toBody(assignment);
  });
}

export async function removeAssignment(context: Context, call: Call, rule_id: string, id: string): Promise<void> {
  await change(context, call, async (change) => {
    const { tx } = change;
    await assertRule(tx, call.project_id, rule_id);
    const known = async () => {
      const assignment = await findAssignment(tx, call.project_id, id);
      if (assignment?.rule_id !== rule_id) throw problems.notFound("validation_rules_assignment", id);
      return assignment;
    };
    const { related_object_id, related_object_type } = await known();
    const target = await targetOf(change, call, related_object_type, related_object_id);
    await dropAssignments(change, [await holding(tx, [assignedKey(call.project_id, target.id)], known)]);
    await tellOf(change, target, null);
  });
}

/** The rule of the URL is looked up before anything is said of what it is assigned to (platform.md §11.3). */
async function assertRule(tx: Queries, project_id: string, rule_id: string): Promise<void> {
  const [rule] = await findRulesByIds(tx, project_id, [rule_id]);
  if (!rule) throw problems.notFound("validation_rules", rule_id);
}

const assignedKey = (project_id: string, target_id: string) => ({
  project_id,
  kind: "name" as const,
  id: `rules of ${target_id}`,
});

/** `GET /v1/validation-rules/{id}/assignments`; an unknown rule has none. */
export function readAssignmentsOfRule(context: Context, call: Call, rule_id: string, query: RuleAssignmentQuery) {
  return readAssignments(context, call, { ...query, rule: rule_id });
}

export async function readAssignments({ db }: Context, call: Call, query: AssignmentQuery) {
  const filter = { rule_id: query.rule, related_object_id: query.related_object_id };
  const page = pageOf(query);
  const listed = await listAssignments(db, call.project_id, filter, query.order ?? "-created_at", page);
  return { ...ruleAssignments(listed.rows), ...countsOf(listed, page) };
}

const takesSeveral = (type: Assignable) => type === "promotion_tier" || type === "reward_assignment";

async function findTarget(change: Change, call: Call, input: AssignmentInput): Promise<Target> {
  const id = input.related_object_id ?? input.voucher;
  if (id === undefined) throw problems.invalidPayload("Payload must have required property 'related_object_id'");
  const type = input.voucher === undefined ? (input.related_object_type ?? "voucher") : "voucher";
  return targetOf(change, call, type, id);
}

/** The object as stored; kinds that do not exist yet are unknown by any id. */
async function targetOf(change: Change, { project_id, project }: Call, type: Assignable, id: string): Promise<Target> {
  const { tx } = change;
  if (type === "voucher") {
    const voucher = await findVoucher(tx, project_id, id, codeKey(project, id));
    if (voucher) return { id: voucher.id, type };
  }
  if (type === "campaign") {
    const campaign = await findCampaign(tx, project_id, id);
    if (campaign) return { id: campaign.id, type };
  }
  if (type === "promotion_tier") {
    const [tier] = await findTiersByIds(tx, project_id, [id]);
    if (tier) return { id: tier.id, type };
  }
  if (type === "reward_assignment") {
    const assignment = await findRewardAssignment(tx, project_id, id);
    if (assignment) return { id: assignment.id, type };
  }
  if (type === "earning_rule") {
    const keep = await lockAskedRule(change, id);
    if (keep) return { id, type, keep };
  }
  throw problems.notFound(type, id);
}

/** What knows its rule itself is told of it; a voucher's are read with the voucher, those of others stand in the catalogue. */
async function tellOf({ edited }: Change, { id, type, keep }: Target, rule_id: string | null): Promise<void> {
  if (keep) await keep(rule_id);
  else if (type !== "voucher") edited({ kind: type, id });
}

function toBody(assignment: Assignment): AssignmentBody {
  return { ...assignment, created_at: isoOf(assignment.created_at), object: "validation_rules_assignment" };
}
