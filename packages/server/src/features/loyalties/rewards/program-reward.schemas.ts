import Type, { type Static } from "typebox";
import { listOf, named, pageQuery, text } from "../../../platform/http/schema.js";
import { RewardAssignmentBody, RewardAssignmentQuery, RewardBody } from "../../rewards/index.js";
import { ProgramParams } from "../programs/index.js";

/** Of the list that goes by the name of the rewards; its twin spells the parameter in another way. */
export const ProgramRewardQuery = Type.Object({
  ...RewardAssignmentQuery.properties,
  assignment_id: Type.Optional(text({ description: "Only this assignment." })),
});
export const ProgramAssignmentQuery = Type.Object({
  ...RewardAssignmentQuery.properties,
  assignmentId: Type.Optional(text({ description: "Only this assignment." })),
});

export const ProgramRewardParams = Type.Object({ ...ProgramParams.properties, assignmentId: text() });

/** A reward that a member may ask for, with what it costs them. */
const MemberReward = named(
  "MemberReward",
  Type.Object({ reward: RewardBody, assignment: RewardAssignmentBody, object: Type.Literal("loyalty_reward") }),
);
export const MemberRewardList = named("MemberRewardList", listOf("data", MemberReward));

/** A reward of a program, with what it costs those who are in a tier. */
const TierReward = named(
  "LoyaltyTierReward",
  Type.Object({ reward: RewardBody, assignment: RewardAssignmentBody, object: Type.Literal("loyalty_tier_reward") }),
);
export const TierRewardList = named("LoyaltyTierRewardList", listOf("data", TierReward));

export const MemberRewardQuery = Type.Object({
  ...pageQuery(100),
  affordable_only: Type.Optional(Type.Boolean({ description: "Only what the card's balance pays for." })),
});
export type MemberRewardQuery = Static<typeof MemberRewardQuery>;
