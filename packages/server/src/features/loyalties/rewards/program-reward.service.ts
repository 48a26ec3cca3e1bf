import { mappedPrice, spendablePoints } from "@guerdon/engine";
import { localDay } from "../../../books/index.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { listBody } from "../../../platform/http/lists.js";
import { pageOf } from "../../../platform/listing/index.js";
import type { Call } from "../../projects/index.js";
import {
  findAssignmentsOf,
  findRewardsByIds,
  knownReward,
  type RewardAssignment,
  readAssignment,
  toAssignmentBody,
  toRewardBody,
} from "../../rewards/index.js";
import { knownCard } from "../members/index.js";
import { knownProgram } from "../programs/index.js";
import { findTiersOfCards, knownTier, type LoyaltyTier, mappingOfReward } from "../tiers/index.js";
import type { MemberRewardQuery } from "./program-reward.schemas.js";

/** `GET /v1/loyalties/:campaignId/reward-assignments/:assignmentId/reward`. */
export async function readRewardOfAssignment(
  context: Context,
  call: Call,
  { campaignId, assignmentId }: { campaignId: string; assignmentId: string },
) {
  const { reward_id } = await readAssignment(context, call, { program: campaignId }, assignmentId);
  return toRewardBody(await knownReward(context.db, call.project_id, reward_id));
}

/**
 * What a member may ask for: what the card's program gives, for what it costs in the member's tier, and if wanted only what the
 * balance pays for (loyalty.md §9.3).
 */
export async function readMemberRewards(
  { db }: Context,
  call: Call,
  code_or_id: string,
  { affordable_only, ...query }: MemberRewardQuery,
) {
  const { project_id } = call;
  const card = await knownCard(db, call, code_or_id, null);
  const tier = (await findTiersOfCards(db, project_id, [card.id])).get(card.id);
  const offered = await assignmentsIn(db, project_id, card.campaign_id ?? "", tier);
  const today = localDay(call.instant, call.project.timezone);
  const balance = spendablePoints({ balance: card.balance ?? 0, lots: card.lots ?? [] }, today);
  // Whoever pays with points needs some.
  const wanted = affordable_only ? offered.filter(({ points }) => (points ?? 1) <= balance) : offered;
  const { limit, offset } = pageOf(query);
  const entries = await entriesOf(db, project_id, wanted.slice(offset, offset + limit));
  const data = entries.map((entry) => ({ ...entry, object: "loyalty_reward" as const }));
  return listBody("data", data, wanted.length);
}

/** `GET …/tiers/:loyaltyTierId/rewards`: all that the program gives, for what it costs in the tier (loyalty.md §8.1). */
export async function readTierRewards(
  { db }: Context,
  call: Call,
  { campaignId, loyaltyTierId }: { campaignId: string; loyaltyTierId: string },
) {
  const program = await knownProgram(db, call.project_id, campaignId);
  const tier = await knownTier(db, call, program, loyaltyTierId);
  const entries = await entriesOf(db, call.project_id, await assignmentsIn(db, call.project_id, program.id, tier));
  const data = entries.map((entry) => ({ ...entry, object: "loyalty_tier_reward" as const }));
  return listBody("data", data, data.length);
}

/** What a program gives, newest first, no more than it may have; without what is switched off in the tier. */
async function assignmentsIn(
  db: Queries,
  project_id: string,
  campaign_id: string,
  tier: LoyaltyTier | undefined,
): Promise<RewardAssignment[]> {
  const all = await findAssignmentsOf(db, project_id, { campaign_ids: [campaign_id], reward_ids: [] });
  const newest_first = all.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1));
  return newest_first.flatMap((assignment) => {
    const mapping = mappingOfReward(tier, assignment);
    // Paying with points has no price: it is switched off or it is not.
    if (assignment.points === null) return mapping?.type === "MULTIPLY" && mapping.multiplier === 0 ? [] : [assignment];
    const points = mappedPrice(assignment.points, mapping);
    return points === null ? [] : [{ ...assignment, points }];
  });
}

async function entriesOf(db: Queries, project_id: string, assignments: readonly RewardAssignment[]) {
  const ids = assignments.map(({ reward_id }) => reward_id);
  const rewards = new Map((await findRewardsByIds(db, project_id, ids)).map((reward) => [reward.id, reward]));
  return assignments.flatMap((assignment) => {
    const reward = rewards.get(assignment.reward_id);
    return reward ? [{ reward: toRewardBody(reward), assignment: toAssignmentBody(assignment) }] : [];
  });
}
