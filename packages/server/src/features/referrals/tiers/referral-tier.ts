import type { Instant } from "../../../platform/clock.js";

/** Of one campaign: as many things are given for one referral at most. */
export const tiers_max = 20;

/** For what: each customer who was referred, or once for so many. */
export const criteria = ["EACH_REFEREE", "MIN_REFEREES"] as const;

/** What a referral campaign gives its referrers, as stored (vouchers-and-campaigns.md §15). */
export interface ReferralTier {
  id: string;
  campaign_id: string;
  banner: string | null;
  criterion: (typeof criteria)[number];
  /** Null where each counts. */
  referees_min: number | null;
  /** Of the project's rewards: a code, a balance or a product, without a price. */
  reward_id: string;
  /** Whose members alone count; null where everybody does. */
  segment_id: string | null;
  active: boolean;
  created_at: Instant;
  updated_at: Instant | null;
}
