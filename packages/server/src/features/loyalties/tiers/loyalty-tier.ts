import type { PointsMapping } from "@guerdon/engine";
import type { Instant } from "../../../platform/clock.js";

/** A level of a loyalty program, as stored (loyalty.md §8.1). */
export interface LoyaltyTier {
  id: string;
  campaign_id: string;
  name: string;
  /** Points, both ends included; null is without end. */
  points_from: number;
  points_to: number | null;
  /** What it makes of points that rules pay, by the rule's id. */
  earning_rules: Record<string, PointsMapping>;
  /** What it makes of prices, by the id of the assignment or of the reward. */
  rewards: Record<string, PointsMapping>;
  metadata: Record<string, unknown>;
  created_at: Instant;
  updated_at: Instant | null;
}

/** What a member's tier makes of the points of a rule; undefined: nothing. */
export const mappingOfRule = (tier: Pick<LoyaltyTier, "earning_rules"> | undefined, rule_id: string) =>
  tier && mappingAt(tier.earning_rules, rule_id);

/** What it makes of a price: said of the assignment, or of the reward wherever it is given (loyalty.md §8.1). */
export const mappingOfReward = (
  tier: Pick<LoyaltyTier, "rewards"> | undefined,
  { id, reward_id }: { id: string; reward_id: string },
) => tier && (mappingAt(tier.rewards, id) ?? mappingAt(tier.rewards, reward_id));

const mappingAt = (mappings: Record<string, PointsMapping>, id: string): PointsMapping | undefined =>
  Object.hasOwn(mappings, id) ? mappings[id] : undefined;
