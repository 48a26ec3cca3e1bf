import type { Instant } from "../../platform/clock.js";

/** Campaigns whose codes or balances a reward may give. */
export const giving_campaigns = ["DISCOUNT_COUPONS", "GIFT_VOUCHERS", "LOYALTY_PROGRAM"] as const;
export type GivingCampaign = (typeof giving_campaigns)[number];

/** What a reward gives: one of the three, which fixes its type (loyalty.md §9.1). */
export type RewardParameters =
  | {
      /** `balance`: credits in minor units, or points; a discount campaign gives a code instead. */
      campaign: { id: string; type: GivingCampaign; balance?: number };
    }
  | {
      /** `points_ratio` points are worth `exchange_ratio` major units. */
      coin: { exchange_ratio: number; points_ratio: number };
    }
  | { product: { id: string; sku_id: string | null } };

type RewardType = "CAMPAIGN" | "COIN" | "MATERIAL";

/** Something that points are spent on, as stored (loyalty.md §9.2). */
export interface Reward {
  id: string;
  name: string;
  type: RewardType;
  parameters: RewardParameters;
  /** Null: without limit. */
  stock: number | null;
  attributes: { image_url?: string; description?: string };
  metadata: Record<string, unknown>;
  created_at: Instant;
  updated_at: Instant | null;
}

/** A reward with how often it was given; null where it never was. */
export interface CountedReward extends Reward {
  redeemed: number | null;
}

/** A reward that a loyalty program gives, as stored (loyalty.md §9.3). */
export interface RewardAssignment {
  id: string;
  reward_id: string;
  campaign_id: string;
  /** The price; null where points are paid with. */
  points: number | null;
  /** Whether the service redeems it by itself, as soon as a card holds the price: one of a program's (loyalty.md §9.6). */
  auto_redeem: boolean;
  created_at: Instant;
  updated_at: Instant | null;
}

/** Fixed by what it gives. */
export function rewardTypeOf(parameters: RewardParameters): RewardType {
  if ("campaign" in parameters) return "CAMPAIGN";
  return "coin" in parameters ? "COIN" : "MATERIAL";
}
