import { shelf } from "../../catalogue/index.js";
import type { RewardParameters } from "./reward.js";
import { assignmentTextsAfter, assignmentTextsOfIds, rewardTextsAfter, rewardTextsOfIds } from "./reward.store.js";

/** A reward as decisions see it. Its name stands in the ledger. */
export interface CatalogueReward {
  id: string;
  name: string;
  parameters: RewardParameters;
  /** Null: without limit. */
  stock: number | null;
  /** Its assignments by the program that gives it. */
  assigned: ReadonlyMap<string, string>;
}

type StoredReward = [
  name: string,
  parameters: RewardParameters,
  stock: number | null,
  assigned: Record<string, string> | null,
];

export const rewardShelf = shelf<StoredReward, CatalogueReward>({
  kind: "reward",
  page: rewardTextsAfter,
  byIds: rewardTextsOfIds,
  compile: (id, [name, parameters, stock, assigned]) => ({
    id,
    name,
    parameters,
    stock,
    assigned: new Map(Object.entries(assigned ?? {})),
  }),
});

/** An assignment as decisions see it. */
export interface CatalogueAssignment {
  id: string;
  reward_id: string;
  campaign_id: string;
  /** The price; null where points are paid with. */
  points: number | null;
}

type StoredAssignment = [reward_id: string, campaign_id: string, points: number | null];

export const rewardAssignmentShelf = shelf<StoredAssignment, CatalogueAssignment>({
  kind: "reward_assignment",
  page: assignmentTextsAfter,
  byIds: assignmentTextsOfIds,
  compile: (id, [reward_id, campaign_id, points]) => ({ id, reward_id, campaign_id, points }),
});
