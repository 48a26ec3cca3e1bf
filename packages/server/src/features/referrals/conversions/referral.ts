import type { Instant } from "../../../platform/clock.js";

/** That a customer came by somebody's code: counted once for the two and the campaign (vouchers-and-campaigns.md §15). */
export interface Referral {
  campaign_id: string;
  referrer_id: string;
  referee_id: string;
  voucher_id: string;
  /** What it was counted for: one of the two. */
  redemption_id: string | null;
  custom_event_id: string | null;
  created_at: Instant;
}
