import type { EventData, NewEvent } from "../../../events/index.js";
import type { ReferralTier } from "../tiers/referral-tier.js";

declare module "../../../events/event.js" {
  interface EventData {
    /** Customers hear of it as `customer.rewarded`. */
    "referral.rewarded": {
      campaign_id: string;
      /** Whose code it was, and what that counted for. */
      referral: EventData["customer.referred"];
      /** Null where the campaign itself gives it. */
      referral_tier: ReferralTier | null;
      reward_id: string | null;
      given: { voucher_id: string; amount: number | null; of: "points" | "amount" } | null;
    };
  }
}

/** Somebody was given something because one customer has referred another. */
export const referralRewardedEvent = (
  customer_id: string,
  data: Omit<EventData["referral.rewarded"], "campaign_id">,
): NewEvent => ({
  type: "referral.rewarded",
  entity_id: customer_id,
  customer_id,
  data: { campaign_id: data.referral.campaign_id, ...data, referral: withoutProfile(data.referral) },
});

/** What somebody else sent of themselves goes with their own events when they are deleted, and stands in none of the referrer's. */
const withoutProfile = (referral: EventData["customer.referred"]): EventData["customer.referred"] => ({
  ...referral,
  custom_event: referral.custom_event && { ...referral.custom_event, metadata: {} },
});
