import type { Applicable, RewardFacts } from "@guerdon/engine";
import { readRewardUses } from "../../books/index.js";
import type { Catalogue } from "../../catalogue/index.js";
import { campaignShelf } from "../../features/campaigns/index.js";
import {
  type CatalogueAssignment,
  type CatalogueReward,
  rewardAssignmentShelf,
  rewardKey,
  rewardShelf,
} from "../../features/rewards/index.js";
import type { Queries } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import type { RedeemableInput } from "../requests/request.schemas.js";
import type { SharedFacts } from "../shared-facts.js";
import { Found } from "./found.js";

/** A reward that is asked for, as the card's program gives it. */
export interface AskedReward {
  reward: CatalogueReward;
  assignment: CatalogueAssignment;
}

/** How often a reward was given. */
interface RewardUse {
  reward_id: string;
  redeemed: number;
}

const uses = new Found<RewardUse, RewardUse>("reward use", ({ reward_id }) => [reward_id]);

/** By its id, by its assignment's, or by both where they say the same. */
export function rewardNamed(catalogue: Catalogue, { reward }: RedeemableInput): CatalogueReward | undefined {
  const { id, assignment_id } = reward ?? {};
  const by_assignment = assignment_id
    ? catalogue.shelf(rewardAssignmentShelf).get(assignment_id)?.reward_id
    : undefined;
  return catalogue.shelf(rewardShelf).get(id || by_assignment || "");
}

/** What is asked for, where the program gives it; whether a reward is named at all is another question. */
export function rewardAsked(
  catalogue: Catalogue,
  campaign_id: string | null,
  redeemable: RedeemableInput,
): AskedReward | undefined {
  const reward = rewardNamed(catalogue, redeemable);
  const assignment_id = reward?.assigned.get(campaign_id ?? "");
  const assignment = assignment_id && catalogue.shelf(rewardAssignmentShelf).get(assignment_id);
  if (!reward || !assignment || !isThere(catalogue, reward)) return undefined;
  const wanted = redeemable.reward?.assignment_id;
  return wanted && wanted !== assignment.id ? undefined : { reward, assignment };
}

/** A campaign in the bin gives nothing any more. */
export const isThere = (catalogue: Catalogue, { parameters }: CatalogueReward) =>
  !("campaign" in parameters) || catalogue.shelf(campaignShelf).get(parameters.campaign.id) !== undefined;

/** The reward that a card was decided to be spent on. */
export function rewardOf({ catalogue }: SharedFacts, { redeemable }: Applicable): AskedReward {
  const card = "loyalty_card" in redeemable ? redeemable : undefined;
  const id = card?.loyalty_card?.reward?.id;
  const campaign_id = card?.campaign?.id ?? null;
  const asked = id && rewardAsked(catalogue, campaign_id, { object: "voucher", id: redeemable.id, reward: { id } });
  if (!asked) throw new Error(`a reward of ${redeemable.id} was decided on that nobody knows`);
  return asked;
}

/** Paying with points takes nothing out of a store, so that no two who do wait for each other. */
export const isHeld = ({ parameters }: CatalogueReward) => !("coin" in parameters);

export const rewardKeys = (project_id: string, asked: AskedReward): LockKey[] =>
  isHeld(asked.reward) ? [rewardKey(project_id, asked.reward.id)] : [];

/** Reads how often the rewards that are asked for were given, as far as anything hangs on it. */
export async function readUses(db: Queries, shared: SharedFacts, redeemables: readonly RedeemableInput[]) {
  const { catalogue } = shared;
  const limited = redeemables.flatMap((redeemable) => {
    const reward = redeemable.reward ? rewardNamed(catalogue, redeemable) : undefined;
    return reward && reward.stock !== null ? reward.id : [];
  });
  if (limited.length === 0) return;
  const found = await readRewardUses(db, catalogue.project.id, [...new Set(limited)]);
  for (const use of found) uses.keep(shared, use);
}

/** Counts one given, for the requests behind it in the batch. */
export function keepGiven(shared: SharedFacts, reward_id: string): void {
  uses.keep(shared, { reward_id, redeemed: redeemedOf(shared, reward_id) + 1 });
}

const redeemedOf = (shared: SharedFacts, reward_id: string) => uses.row(shared, reward_id)?.redeemed ?? 0;

/** What the engine is told of a reward; its rules are among those of the card. */
export function rewardFacts(shared: SharedFacts, { reward, assignment }: AskedReward): RewardFacts {
  const { parameters, stock } = reward;
  return {
    id: reward.id,
    rules: [],
    stock,
    redeemed: redeemedOf(shared, reward.id),
    coin: "coin" in parameters ? parameters.coin : null,
    points: assignment.points,
  };
}
