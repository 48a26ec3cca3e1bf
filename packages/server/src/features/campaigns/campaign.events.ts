import type { NewEvent } from "../../events/index.js";
import type { PromotionStack, PromotionTier } from "../promotions/index.js";
import type { Campaign } from "./campaign.js";

interface CampaignAsItWas {
  campaign: Campaign;
}

interface TierAsItWas extends CampaignAsItWas {
  promotion_tier: PromotionTier;
}

interface StackAsItWas extends CampaignAsItWas {
  promotion_stack: PromotionStack;
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
    "campaign.promotion_tier.created": TierAsItWas;
    "campaign.promotion_tier.updated": TierAsItWas;
    "campaign.promotion_tier.enabled": TierAsItWas;
    "campaign.promotion_tier.disabled": TierAsItWas;
    "campaign.promotion_tier.deleted": TierAsItWas;
    "campaign.promotion_stack.created": StackAsItWas;
    "campaign.promotion_stack.updated": StackAsItWas;
    "campaign.promotion_stack.deleted": StackAsItWas;
  }
}

/** What happened to a campaign, with the campaign as it was. */
export const campaignEvent = (
  type: `campaign.${"created" | "updated" | "enabled" | "disabled"}`,
  campaign: Campaign,
): NewEvent => ({ type, entity_id: campaign.id, data: { campaign } });

/** What happened to a promotion tier, which its campaign tells of. */
export const tierEvent = (
  verb: "created" | "updated" | "enabled" | "disabled" | "deleted",
  campaign: Campaign,
  promotion_tier: PromotionTier,
): NewEvent => ({
  type: `campaign.promotion_tier.${verb}`,
  entity_id: campaign.id,
  data: { campaign, promotion_tier },
});

/** What happened to a promotion stack, likewise. */
export const stackEvent = (
  verb: "created" | "updated" | "deleted",
  campaign: Campaign,
  promotion_stack: PromotionStack,
): NewEvent => ({
  type: `campaign.promotion_stack.${verb}`,
  entity_id: campaign.id,
  data: { campaign, promotion_stack },
});
