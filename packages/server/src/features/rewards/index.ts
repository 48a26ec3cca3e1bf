import { rewardAssignmentShelf, rewardShelf } from "./reward.shelf.js";

export { addForReward, moveForReward } from "./reward.entries.js";
export { rewardedEvent, rewardReturnedEvent } from "./reward.events.js";
export {
  type CountedReward,
  type Reward,
  type RewardAssignment,
  type RewardParameters,
  rewardTypeOf,
} from "./reward.js";
export { rewardRoutes as routes } from "./reward.routes.js";
export { RewardBody, RewardParametersBody } from "./reward.schemas.js";
export { knownReward, rewardKey, toRewardBody } from "./reward.service.js";
export { type CatalogueAssignment, type CatalogueReward, rewardAssignmentShelf, rewardShelf } from "./reward.shelf.js";
export {
  type AutoReward,
  findAssignment,
  findAssignmentsByIds,
  findAssignmentsOf,
  findAutoRewards,
  findRewardsByIds,
  has_auto_rewards,
} from "./reward.store.js";
export {
  ProgramRewardsInput,
  RewardAssignmentBody,
  RewardAssignmentList,
  RewardAssignmentQuery,
  RewardAssignmentUpdate,
} from "./reward-assignment.schemas.js";
export {
  assignRewards,
  changeAssignment,
  readAssignment,
  readAssignments,
  removeAssignment,
  toAssignmentBody,
} from "./reward-assignment.service.js";

export const shelves = [rewardShelf, rewardAssignmentShelf];
