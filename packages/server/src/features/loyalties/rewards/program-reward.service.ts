import type { Context } from "../../../platform/context.js";
import { listBody } from "../../../platform/http/lists.js";
import { countsOf, pageOf } from "../../../platform/listing/index.js";
import type { Call } from "../../projects/index.js";
import {
  findRewardsByIds,
  knownReward,
  listAffordable,
  readAssignment,
  toAssignmentBody,
  toRewardBody,
} from "../../rewards/index.js";
import { knownCard } from "../members/index.js";
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

/** What a member may ask for: what the card's program gives, and if wanted only what the balance pays for (loyalty.md §9.3). */
export async function readMemberRewards(
  context: Context,
  call: Call,
  code_or_id: string,
  { affordable_only, ...query }: MemberRewardQuery,
) {
  const { db } = context;
  const card = await knownCard(db, call, code_or_id, null);
  const page = pageOf(query);
  const balance = affordable_only ? (card.balance ?? 0) : null;
  const listed = await listAffordable(db, call.project_id, card.campaign_id ?? "", balance, page);
  const rewards = await findRewardsByIds(
    db,
    call.project_id,
    listed.rows.map(({ reward_id }) => reward_id),
  );
  const data = listed.rows.flatMap((assignment) => {
    const reward = rewards.find(({ id }) => id === assignment.reward_id);
    if (!reward) return [];
    return {
      reward: toRewardBody(reward),
      assignment: toAssignmentBody(assignment),
      object: "loyalty_reward" as const,
    };
  });
  return listBody("data", data, countsOf(listed, page));
}
