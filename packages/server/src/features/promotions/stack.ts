import type { Instant } from "../../platform/clock.js";

/** Promotion tiers of one campaign that are asked for by one name, as stored (redemption.md §14). */
export interface PromotionStack {
  id: string;
  campaign_id: string;
  name: string;
  /** In the order in which they are applied. */
  tier_ids: readonly string[];
  category_id: string | null;
  created_at: Instant;
  updated_at: Instant | null;
}
