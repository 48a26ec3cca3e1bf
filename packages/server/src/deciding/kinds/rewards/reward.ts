import { type Applicable, mappedPrice, mappedRatio, type RewardFacts } from "@guerdon/engine";
import { readRewardUses } from "../../../books/index.js";
import type { Catalogue } from "../../../catalogue/index.js";
import { campaignShelf } from "../../../features/campaigns/index.js";
import { loyaltyTierShelf, mappingOfReward } from "../../../features/loyalties/tiers/index.js";
import {
  type CatalogueAssignment,
  type CatalogueReward,
  rewardAssignmentShelf,
  rewardKey,
  rewardShelf,
} from "../../../features/rewards/index.js";
import type { Queries } from "../../../platform/db/database.js";
import type { LockKey } from "../../../platform/db/locks.js";
import type { DecidingRequest } from "../../requests/request.js";
import type { RedeemableInput } from "../../requests/request.schemas.js";
import type { SharedFacts } from "../../shared-facts.js";
import { Found } from "../found.js";
import { voucherOf } from "../found-voucher.js";

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

/** Counts what was given, for the requests behind it in the batch. */
export function keepGiven(shared: SharedFacts, reward_id: string, units: number): void {
  uses.keep(shared, { reward_id, redeemed: redeemedOf(shared, reward_id) + units });
}

const redeemedOf = (shared: SharedFacts, reward_id: string) => uses.row(shared, reward_id)?.redeemed ?? 0;

/** What the engine is told of a reward; its rules are among those of the card. */
export function rewardFacts(
  shared: SharedFacts,
  { id, stock }: CatalogueReward,
  price: Pick<RewardFacts, "coin" | "points">,
): RewardFacts {
  return { id, rules: [], stock, redeemed: redeemedOf(shared, id), ...price };
}

/** Ids of the cards that a request spends on rewards, as far as tiers may have a say in what that costs. */
export function cardsSpent(shared: SharedFacts, { redeemables }: DecidingRequest): string[] {
  const cards = redeemables.filter(({ reward }) => reward);
  if (cards.length === 0 || shared.catalogue.shelf(loyaltyTierShelf).size === 0) return [];
  return cards.flatMap(({ id }) => voucherOf(shared, id)?.id ?? []);
}

/** What a card's tier makes of what a reward costs (loyalty.md §9.3); null where it is switched off there. */
export function priceOf(
  shared: SharedFacts,
  voucher_id: string,
  { reward, assignment }: AskedReward,
): Pick<RewardFacts, "coin" | "points"> | null {
  const tier = shared.catalogue.shelf(loyaltyTierShelf).get(shared.tiers_of_cards.get(voucher_id) ?? "");
  const mapping = mappingOfReward(tier, assignment);
  const { parameters } = reward;
  if ("coin" in parameters) {
    const points_ratio = mappedRatio(parameters.coin.points_ratio, mapping);
    return points_ratio === null ? null : { coin: { ...parameters.coin, points_ratio }, points: null };
  }
  const points = assignment.points === null ? null : mappedPrice(assignment.points, mapping);
  return points === null ? null : { coin: null, points };
}
