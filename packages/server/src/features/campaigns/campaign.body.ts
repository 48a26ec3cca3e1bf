import { isoOf } from "../../platform/clock.js";
import { type Category, toCategoryBody } from "../categories/index.js";
import {
  noRuleAssignments,
  type PromotionTier,
  type TierSummary,
  toDiscountBody,
  toTierBody,
  toWindowBody,
} from "../promotions/index.js";
import type { VoucherTemplate } from "../vouchers/index.js";
import type { Campaign } from "./campaign.js";
import type { CampaignBody } from "./campaign.schemas.js";

/** What an answer shows beside the campaign's own row. */
export interface CampaignParts {
  category?: Category | null;
  vouchers_count?: number;
  /** The tiers of a PROMOTION campaign with their categories; left out of lists. */
  tiers?: readonly { tier: PromotionTier; category: Category | null; summary?: TierSummary }[];
}

/** A campaign as answered (vouchers-and-campaigns.md §2.1). */
export function toCampaignBody(
  campaign: Campaign,
  { category, vouchers_count = 0, tiers }: CampaignParts,
): CampaignBody {
  const { description, activity_duration_after_publishing, voucher } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    ...(description === null ? {} : { description }),
    campaign_type: campaign.campaign_type,
    type: campaign.type,
    ...(voucher ? { voucher: { ...templateBody(voucher), ...toWindowBody(campaign) }, vouchers_count } : {}),
    ...(tiers ? { promotion: tierList(campaign, tiers) } : {}),
    auto_join: campaign.auto_join,
    join_once: campaign.join_once,
    use_voucher_metadata_schema: campaign.use_voucher_metadata_schema,
    ...toWindowBody(campaign),
    ...(activity_duration_after_publishing === null ? {} : { activity_duration_after_publishing }),
    active: campaign.active,
    protected: campaign.protected,
    metadata: campaign.metadata,
    ...(category ? { category: category.name } : {}),
    category_id: category?.id ?? null,
    categories: category ? [toCategoryBody(category)] : [],
    creation_status: campaign.creation_status,
    vouchers_generation_status: campaign.vouchers_generation_status,
    validation_rules_assignments: noRuleAssignments(),
    created_at: isoOf(campaign.created_at),
    ...(campaign.updated_at === null ? {} : { updated_at: isoOf(campaign.updated_at) }),
    object: "campaign",
  };
}

function templateBody({ type, discount, gift, redemption, code_config, is_referral_code }: VoucherTemplate) {
  return {
    type,
    ...(discount ? { discount: toDiscountBody(discount) } : {}),
    ...(gift ? { gift: { ...gift, subtracted_amount: 0, balance: gift.amount } } : {}),
    redemption,
    code_config,
    is_referral_code,
  };
}

function tierList(campaign: Campaign, tiers: NonNullable<CampaignParts["tiers"]>): CampaignBody["promotion"] {
  return {
    object: "list",
    data_ref: "tiers",
    tiers: tiers.map(({ tier, category, summary }) => toTierBody(tier, campaign, category, summary)),
    total: tiers.length,
    has_more: false,
  };
}
