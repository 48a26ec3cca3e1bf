import { shelf } from "../../catalogue/index.js";
import type { Instant } from "../../platform/clock.js";
import { stackTextsAfter, stackTextsOfIds } from "./stack.store.js";

/** A promotion stack as decisions see it: its tiers in their order. */
export interface CatalogueStack {
  id: string;
  campaign_id: string;
  category_id: string | null;
  tier_ids: readonly string[];
  created_at: Instant;
}

type Stored = [campaign_id: string, category_id: string | null, tier_ids: string[], created_at: Instant];

export const stackShelf = shelf<Stored, CatalogueStack>({
  kind: "promotion_stack",
  page: stackTextsAfter,
  byIds: stackTextsOfIds,
  compile: (id, [campaign_id, category_id, tier_ids, created_at]) => ({
    id,
    campaign_id,
    category_id,
    tier_ids,
    created_at,
  }),
});
