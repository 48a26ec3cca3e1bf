import type { NewEvent } from "../../events/index.js";
import type { Campaign } from "../campaigns/index.js";
import type { Reward, RewardAssignment } from "./reward.js";

interface AssignmentAsItWas {
  campaign: Campaign;
  reward: Reward;
  reward_assignment: RewardAssignment;
}

declare module "../../events/event.js" {
  interface EventData {
    "campaign.reward.assignment.created": AssignmentAsItWas;
    "campaign.reward.assignment.updated": AssignmentAsItWas;
    "campaign.reward.assignment.deleted": AssignmentAsItWas;
  }
}

/** What happened to a reward of a program, which the program tells of. */
export const rewardAssignmentEvent = (
  verb: "created" | "updated" | "deleted",
  { campaign, reward, reward_assignment }: AssignmentAsItWas,
): NewEvent => ({
  type: `campaign.reward.assignment.${verb}`,
  entity_id: campaign.id,
  data: { campaign, reward, reward_assignment },
});
