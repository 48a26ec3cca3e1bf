import type { NewEvent } from "../../../events/index.js";
import type { Campaign } from "../../campaigns/index.js";
import type { ReferralTier } from "./referral-tier.js";

interface TierOfCampaign {
  campaign: Campaign;
  referral_tier: ReferralTier;
}

declare module "../../../events/event.js" {
  interface EventData {
    "campaign.referral_tier.created": TierOfCampaign;
    "campaign.referral_tier.updated": TierOfCampaign;
    "campaign.referral_tier.deleted": TierOfCampaign;
  }
}

/** What happened to a tier of a referral campaign, with both as they were. */
export const referralTierEvent = (
  verb: "created" | "updated" | "deleted",
  campaign: Campaign,
  referral_tier: ReferralTier,
): NewEvent => ({
  type: `campaign.referral_tier.${verb}`,
  entity_id: campaign.id,
  data: { campaign, referral_tier },
});
