import type { NewEvent } from "../../../events/index.js";
import type { Campaign } from "../../campaigns/index.js";
import type { LoyaltyTier } from "./loyalty-tier.js";

declare module "../../../events/event.js" {
  interface EventData {
    "campaign.loyalty_tier.created": { campaign: Campaign; loyalty_tier: LoyaltyTier };
  }
}

/** A tier was made, with the tier and its program as they were. */
export const tierCreated = (campaign: Campaign, loyalty_tier: LoyaltyTier): NewEvent => ({
  type: "campaign.loyalty_tier.created",
  entity_id: campaign.id,
  data: { campaign, loyalty_tier },
});
