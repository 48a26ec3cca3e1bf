import type { ActivityWindow, Discount } from "@guerdon/engine";
import type { Instant } from "../../platform/clock.js";

/** A promotion tier as stored: a discount that needs no code (redemption.md §14). */
export interface PromotionTier extends ActivityWindow {
  id: string;
  campaign_id: string;
  name: string;
  banner: string | null;
  discount: Discount;
  metadata: Record<string, unknown>;
  /** 1 is listed first. */
  hierarchy: number;
  active: boolean;
  category_id: string | null;
  created_at: Instant;
  updated_at: Instant | null;
}

/** What a tier shows of its campaign. */
export interface TierCampaign extends ActivityWindow {
  id: string;
  active: boolean;
  category_id: string | null;
}

/** What a tier's redemptions came to; money in minor units. */
export interface TierSummary {
  total_redeemed: number;
  total_amount: number;
  total_discount_amount: number;
}
