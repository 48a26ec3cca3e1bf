import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { type Change, change, readUnderKeys } from "../../recording/index.js";
import { refusals } from "../../terms/index.js";
import type { Campaign } from "../campaigns/index.js";
import { knownProgram } from "../loyalties/programs/index.js";
import type { Call } from "../projects/index.js";
import { assignRules, dropAssignments, findAssignmentsTo } from "../validation-rules/index.js";
import { rewardAssignmentEvent } from "./reward.events.js";
import type { Reward, RewardAssignment } from "./reward.js";
import { knownReward, rewardKey } from "./reward.service.js";
import {
  type AssignmentsOf,
  deleteAssignment,
  findAssignment,
  findAssignmentsOf,
  findRewardsByIds,
  insertAssignments,
  listAssignments,
  updateAssignment,
} from "./reward.store.js";
import {
  assignments_max,
  type RewardAssignmentBody,
  type RewardAssignmentInput,
  type RewardAssignmentQuery,
  type RewardAssignmentUpdate,
} from "./reward-assignment.schemas.js";

/** What one reward is to cost in a program. */
interface Assigning extends Pick<RewardAssignmentInput, "parameters" | "validation_rules"> {
  reward_id: string;
  /** Leads to it in the body. */
  at: string;
}

/** Has a loyalty program give rewards: all of them or none (loyalty.md §9.3). */
export function assignRewards<Body>(
  context: Context,
  call: Call,
  program: string | null | undefined,
  wanted: readonly Assigning[],
  bodyOf: (made: RewardAssignmentBody[]) => Body,
): Promise<Body> {
  const { project_id } = call;
  const reward_ids = wanted.map(({ reward_id }) => reward_id);
  return change(context, call, async (change) => {
    const { campaign, rewards } = await readUnderKeys(
      change.tx,
      () => findTargets(change.tx, project_id, program, reward_ids),
      ({ campaign }) => [programKey(project_id, campaign), ...reward_ids.map((id) => rewardKey(project_id, id))],
    );
    const others = await findAssignmentsOf(change.tx, project_id, { campaign_ids: [campaign.id], reward_ids });
    const made: RewardAssignment[] = [];
    for (const one of wanted) {
      const reward = rewards.get(one.reward_id) as Reward;
      const assignment = newAssignment(call, campaign, reward, one);
      assertFree([...others, ...made], assignment, one.at);
      made.push(assignment);
    }
    await insertAssignments(change.tx, project_id, made);
    for (const [i, assignment] of made.entries()) {
      await assignRules(change, wanted[i]?.validation_rules ?? [], { id: assignment.id, type: "reward_assignment" });
      tellOf(change, "created", campaign, rewards.get(assignment.reward_id) as Reward, assignment);
    }
    return bodyOf(made.map(toAssignmentBody));
  });
}

async function findTargets(
  tx: Tx,
  project_id: string,
  program: string | null | undefined,
  reward_ids: readonly string[],
): Promise<{ campaign: Campaign; rewards: ReadonlyMap<string, Reward> }> {
  const rewards = new Map((await findRewardsByIds(tx, project_id, reward_ids)).map((reward) => [reward.id, reward]));
  const unknown = reward_ids.find((id) => !rewards.has(id));
  if (unknown !== undefined) throw problems.notFound("reward", unknown);
  if (!program) throw refusals.noProgram();
  return { campaign: await knownProgram(tx, project_id, program), rewards };
}

/** A program's rewards are assigned one edit at a time. */
const programKey = (project_id: string, { id }: Campaign) =>
  ({ project_id, kind: "name", id: `rewards of ${id}` }) as const;

function newAssignment(
  { instant }: Call,
  campaign: Campaign,
  reward: Reward,
  { parameters, at }: Assigning,
): RewardAssignment {
  if ("campaign" in reward.parameters && reward.parameters.campaign.id === campaign.id)
    throw problems.invalidPayload(`Property ${at}.reward must not give points of the loyalty program that gives it`);
  const { points = null, auto_redeem } = parameters?.loyalty ?? {};
  if (reward.type !== "COIN" && points === null) throw refusals.missingParam("parameters.loyalty");
  assertAutomatic(reward, auto_redeem === true, at);
  return {
    id: newId("rewa"),
    reward_id: reward.id,
    campaign_id: campaign.id,
    points: reward.type === "COIN" ? null : points,
    auto_redeem: auto_redeem === true,
    created_at: instant,
    updated_at: null,
  };
}

/** Money off an order needs an order. */
function assertAutomatic({ type }: Reward, auto_redeem: boolean, at = ""): void {
  if (auto_redeem && type === "COIN")
    throw problems.invalidPayload(
      `Property ${at}.parameters.loyalty.auto_redeem must not be true of a reward that pays with points`,
    );
}

/** Once a program; and a decision that looks through them must come to an end. */
function assertFree(others: readonly RewardAssignment[], made: RewardAssignment, at: string): void {
  const { reward_id, campaign_id } = made;
  const of_reward = others.filter((other) => other.reward_id === reward_id);
  const twin = of_reward.find((other) => other.campaign_id === campaign_id);
  if (twin) throw problems.duplicate("reward_assignment", twin.id);
  const of_program = others.filter((other) => other.campaign_id === campaign_id);
  if (of_reward.length >= assignments_max || of_program.length >= assignments_max)
    throw problems.invalidPayload(`A reward, and a loyalty program, have at most ${assignments_max} assignments`);
  assertOnlyAutomatic(of_program, made, at);
}

function assertOnlyAutomatic(
  of_program: readonly RewardAssignment[],
  { id, auto_redeem }: RewardAssignment,
  at = "",
): void {
  const first = auto_redeem ? of_program.find((other) => other.auto_redeem && other.id !== id) : undefined;
  if (first)
    throw problems.invalidPayload(
      `Property ${at}.parameters.loyalty.auto_redeem must be true of one reward of a loyalty program alone, which is ${first.id}`,
    );
}

/** Where an assignment is looked for: under its reward, or under its program. */
export type Under = { reward_id: string } | { program: string };

/** A price that is left out stays. */
export async function changeAssignment(
  context: Context,
  call: Call,
  under: Under,
  id: string,
  { parameters }: RewardAssignmentUpdate,
): Promise<RewardAssignmentBody> {
  return change(context, call, async (change) => {
    const { campaign, reward, assignment: stored } = await lockAssignment(change.tx, call, under, id);
    const points = reward.type === "COIN" ? null : (parameters?.loyalty?.points ?? stored.points);
    const auto_redeem = parameters?.loyalty?.auto_redeem ?? stored.auto_redeem;
    const assignment = { ...stored, points, auto_redeem, updated_at: call.instant };
    assertAutomatic(reward, auto_redeem);
    if (auto_redeem) {
      const of_program = { campaign_ids: [campaign.id], reward_ids: [] };
      assertOnlyAutomatic(await findAssignmentsOf(change.tx, call.project_id, of_program), assignment);
    }
    await updateAssignment(change.tx, call.project_id, assignment);
    tellOf(change, "updated", campaign, reward, assignment);
    return toAssignmentBody(assignment);
  });
}

/** What was given before stays given. */
export async function removeAssignment(context: Context, call: Call, under: Under, id: string): Promise<void> {
  await change(context, call, async (change) => {
    const { campaign, reward, assignment } = await lockAssignment(change.tx, call, under, id);
    await dropAssignments(change, await findAssignmentsTo(change.tx, call.project_id, [id]));
    await deleteAssignment(change.tx, call.project_id, id);
    tellOf(change, "deleted", campaign, reward, assignment);
  });
}

export async function readAssignment({ db }: Context, call: Call, under: Under, id: string) {
  return toAssignmentBody((await knownAssignment(db, call.project_id, under, id)).assignment);
}

/** @param id only the assignment with this id */
export async function readAssignments(
  { db }: Context,
  call: Call,
  under: Under,
  query: RewardAssignmentQuery,
  id?: string,
) {
  const page = pageOf(query);
  const listed = await listAssignments(db, call.project_id, { ...(await placeOf(db, call, under)), id }, page);
  return listBody("data", listed.rows.map(toAssignmentBody), countsOf(listed, page));
}

async function placeOf(db: Database, { project_id }: Call, under: Under): Promise<AssignmentsOf> {
  if ("program" in under) return { campaign_id: (await knownProgram(db, project_id, under.program)).id };
  return { reward_id: (await knownReward(db, project_id, under.reward_id)).id };
}

interface Known {
  campaign: Campaign;
  reward: Reward;
  assignment: RewardAssignment;
}

async function knownAssignment(db: Queries, project_id: string, under: Under, id: string): Promise<Known> {
  const of_program = "program" in under ? await knownProgram(db, project_id, under.program) : null;
  const of_reward = "reward_id" in under ? await knownReward(db, project_id, under.reward_id) : null;
  const assignment = await findAssignment(db, project_id, id);
  const is_there =
    (of_program === null || assignment?.campaign_id === of_program.id) &&
    (of_reward === null || assignment?.reward_id === of_reward.id);
  if (!assignment || !is_there) throw problems.notFound("reward_assignment", id);
  return {
    campaign: of_program ?? (await knownProgram(db, project_id, assignment.campaign_id)),
    reward: of_reward ?? (await knownReward(db, project_id, assignment.reward_id)),
    assignment,
  };
}

const lockAssignment = (tx: Tx, { project_id }: Call, under: Under, id: string): Promise<Known> =>
  readUnderKeys(
    tx,
    () => knownAssignment(tx, project_id, under, id),
    ({ campaign, reward }) => [programKey(project_id, campaign), rewardKey(project_id, reward.id)],
  );

/** Its reward names it, so both are others by now. */
function tellOf(
  { tell, edited }: Change,
  verb: "created" | "updated" | "deleted",
  campaign: Campaign,
  reward: Reward,
  reward_assignment: RewardAssignment,
): void {
  tell(rewardAssignmentEvent(verb, { campaign, reward, reward_assignment }));
  edited({ kind: "reward_assignment", id: reward_assignment.id }, { kind: "reward", id: reward.id });
}

export function toAssignmentBody(assignment: RewardAssignment): RewardAssignmentBody {
  const { id, reward_id, campaign_id, points, auto_redeem, created_at, updated_at } = assignment;
  return {
    id,
    reward_id,
    related_object_id: campaign_id,
    related_object_type: "campaign",
    ...(points === null ? {} : { parameters: { loyalty: { points, ...(auto_redeem ? { auto_redeem } : {}) } } }),
    created_at: isoOf(created_at),
    updated_at: isoOf(updated_at),
    object: "reward_assignment",
  };
}
