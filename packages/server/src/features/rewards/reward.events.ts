import type { RewardRedemption } from "../../books/index.js";
import type { NewEvent } from "../../events/index.js";
import type { Campaign } from "../campaigns/index.js";
import type { Reward, RewardAssignment } from "./reward.js";

interface AssignmentAsItWas {
  campaign: Campaign;
  reward: Reward;
  reward_assignment: RewardAssignment;
}

/** A reward that was given, or taken back: what was paid for it stands in the ledger. */
export interface Rewarded
  extends Pick<RewardRedemption, "state" | "redemption_id" | "reward_id" | "reward_assignment_id"> {
  reward_redemption_id: string;
  voucher_id: string;
  campaign_id: string | null;
  /** Null where no points were taken, or given back. */
  transaction_id: string | null;
}

declare module "../../events/event.js" {
  interface EventData {
    "campaign.reward.assignment.created": AssignmentAsItWas;
    "campaign.reward.assignment.updated": AssignmentAsItWas;
    "campaign.reward.assignment.deleted": AssignmentAsItWas;
    "customer.rewarded": Rewarded;
    "customer.reward_redemptions.rolledback": Rewarded;
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

/** A member has spent points on a reward. */
export const rewardedEvent = (given: RewardRedemption, transaction_id: string | null): NewEvent =>
  ofMember("customer.rewarded", given, transaction_id);

/** It was taken back, and the points were returned. */
export const rewardReturnedEvent = (given: RewardRedemption, transaction_id: string | null): NewEvent =>
  ofMember("customer.reward_redemptions.rolledback", { ...given, state: "ROLLEDBACK" }, transaction_id);

function ofMember(
  type: "customer.rewarded" | "customer.reward_redemptions.rolledback",
  { id: reward_redemption_id, customer_id, voucher_id, campaign_id, ...given }: RewardRedemption,
  transaction_id: string | null,
): NewEvent {
  const { state, redemption_id, reward_id, reward_assignment_id } = given;
  return {
    type,
    entity_id: customer_id ?? voucher_id,
    customer_id,
    data: {
      reward_redemption_id,
      state,
      redemption_id,
      reward_id,
      reward_assignment_id,
      voucher_id,
      campaign_id,
      transaction_id,
    },
  };
}
