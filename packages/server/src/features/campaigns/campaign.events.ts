import type { NewEvent } from "../../events/index.js";
import type { PromotionTier } from "../promotions/index.js";
import type { Campaign } from "./campaign.js";

interface CampaignAsItWas {
  campaign: Campaign;
}

declare module "../../events/event.js" {
  interface EventData {
    "campaign.created": CampaignAsItWas;
    "campaign.updated": CampaignAsItWas;
    "campaign.enabled": CampaignAsItWas;
    "campaign.disabled": CampaignAsItWas;
    /** With what is gone with it. */
    "campaign.deleted": CampaignAsItWas & { tiers: PromotionTier[]; vouchers_count: number };
    /** How many vouchers were added in one request, without a generation. */
    "campaign.vouchers.added": CampaignAsItWas & { count: number };
    /** How many vouchers are to be made, or were. */
    "campaign.vouchers.generation.started": CampaignAsItWas & { count: number };
    "campaign.vouchers.generation.completed": CampaignAsItWas & { count: number };
    "campaign.vouchers.generation.failed": CampaignAsItWas & { count: number; reason: string };
    "campaign.promotion_tier.created": CampaignAsItWas & { promotion_tier: PromotionTier };
  }
}

/** What happened to a campaign, with the campaign as it was. */
export const campaignEvent = (
  type: `campaign.${"created" | "updated" | "enabled" | "disabled"}`,
  campaign: Campaign,
): NewEvent => ({ type, entity_id: campaign.id, data: { campaign } });

export const tierEvents = (campaign: Campaign, tiers: readonly PromotionTier[]): NewEvent[] =>
  tiers.map((promotion_tier) => ({
    type: "campaign.promotion_tier.created",
    entity_id: campaign.id,
    data: { campaign, promotion_tier },
  }));
