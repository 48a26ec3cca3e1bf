import { mappedPrice } from "@guerdon/engine";
import type { Queries } from "../../../platform/db/database.js";
import { type AutoReward, findAutoRewards } from "../../rewards/index.js";
import { findTiersOfCards, findTiersOfPrograms, mappingOfReward } from "../tiers/index.js";

/** Of a customer, a reward and a day; and as many of the reward as one of them takes (loyalty.md §9.6): against fraud. */
export const redemptions_a_day_max = 10;
export const units_max = 25;

/** How long it is known because of what something was redeemed: longer than an event is handed out again. */
export const kept_days = 30;

/** A card as it is, in somebody's hands or not. */
interface CardToSpend {
  id: string;
  campaign_id: string | null;
  holder_id: string | null;
  balance: number | null;
}

/**
 * Those of the cards whose balance pays for the reward that their program redeems by itself, with its assignment. Some that are found
 * may be refused for another reason, or because what is over of their points cannot be spent.
 */
export async function findDueCards(
  db: Queries,
  project_id: string,
  cards: readonly CardToSpend[],
): Promise<ReadonlyMap<string, AutoReward>> {
  const held = cards.filter(({ holder_id, campaign_id }) => holder_id !== null && campaign_id !== null);
  const campaign_ids = [...new Set(held.flatMap(({ campaign_id }) => campaign_id ?? []))];
  const rewards = campaign_ids.length === 0 ? [] : await findAutoRewards(db, project_id, campaign_ids);
  if (rewards.length === 0) return new Map();
  const asked = held.flatMap((card) => {
    const reward = rewards.find(({ campaign_id }) => campaign_id === card.campaign_id);
    return reward ? [{ card, reward }] : [];
  });
  const ids = asked.map(({ card }) => card.id);
  const tiers = ids.length === 0 ? new Map() : await findTiersOfCards(db, project_id, ids);
  return new Map(
    asked.flatMap(({ card, reward }) => {
      const price = mappedPrice(reward.points, mappingOfReward(tiers.get(card.id), reward));
      return price !== null && (card.balance ?? 0) >= price ? [[card.id, reward] as const] : [];
    }),
  );
}

/** Programs that redeem by themselves, with the least that their reward may cost whatever tier a member is in. */
export async function leastPrices(db: Queries, project_id: string): Promise<{ campaign_id: string; points: number }[]> {
  const rewards = await findAutoRewards(db, project_id, null);
  if (rewards.length === 0) return [];
  const campaign_ids = rewards.map(({ campaign_id }) => campaign_id);
  const tiers = await findTiersOfPrograms(db, project_id, campaign_ids);
  return rewards.map((reward) => {
    const mapped = tiers
      .filter(({ campaign_id }) => campaign_id === reward.campaign_id)
      .flatMap((tier) => mappedPrice(reward.points, mappingOfReward(tier, reward)) ?? []);
    return { campaign_id: reward.campaign_id, points: Math.min(reward.points, ...mapped) };
  });
}
