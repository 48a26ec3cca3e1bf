import type { PointsMapping } from "@guerdon/engine";
import { shelf } from "../../../catalogue/index.js";
import { tierTextsAfter, tierTextsOfIds } from "./loyalty-tier.store.js";

/** A tier as decisions see it: what its members pay for rewards. */
export interface CatalogueLoyaltyTier {
  id: string;
  campaign_id: string;
  rewards: Record<string, PointsMapping>;
}

type Stored = [campaign_id: string, rewards: Record<string, PointsMapping>];

export const loyaltyTierShelf = shelf<Stored, CatalogueLoyaltyTier>({
  kind: "loyalty_tier",
  page: tierTextsAfter,
  byIds: tierTextsOfIds,
  compile: (id, [campaign_id, rewards]) => ({ id, campaign_id, rewards }),
});
