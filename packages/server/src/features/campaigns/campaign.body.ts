import { isoOf } from "../../platform/clock.js";
import { listBody } from "../../platform/http/lists.js";
import { toDiscountBody, toWindowBody } from "../../terms/index.js";
import { type Category, toCategoryBody } from "../categories/index.js";
import type { TierBody } from "../promotions/index.js";
import { type Assignment, ruleAssignments } from "../validation-rules/index.js";
import type { VoucherTemplate } from "../vouchers/index.js";
import type { Campaign } from "./campaign.js";
import type { CampaignBody } from "./campaign.schemas.js";
import type { LoyaltyTiersExpiration } from "./loyalty-settings.schemas.js";

/** What an answer shows beside the campaign's own row. */
export interface CampaignParts {
  category?: Category | null;
  vouchers_count?: number;
  /** Those of a PROMOTION campaign; left out of lists. */
  tiers?: TierBody[];
  /** Of the campaign, and of others perhaps. */
  assignments?: readonly Assignment[];
}

/** A campaign as answered (vouchers-and-campaigns.md §2.1). */
export function toCampaignBody(
  campaign: Campaign,
  { category, vouchers_count = 0, tiers, assignments = [] }: CampaignParts,
): CampaignBody {
  const { description, activity_duration_after_publishing, voucher } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    ...(description === null ? {} : { description }),
    campaign_type: campaign.campaign_type,
    type: campaign.type,
    ...(voucher ? { voucher: { ...templateBody(voucher), ...toWindowBody(campaign) }, vouchers_count } : {}),
    ...(tiers ? { promotion: listBody("tiers", tiers, { total: tiers.length, has_more: false }) } : {}),
    ...(campaign.loyalty_tiers_expiration
      ? { loyalty_tiers_expiration: campaign.loyalty_tiers_expiration as LoyaltyTiersExpiration }
      : {}),
    ...(campaign.referral_program ? { referral_program: campaign.referral_program } : {}),
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
    validation_rules_assignments: ruleAssignments(of(assignments, campaign.id)),
    created_at: isoOf(campaign.created_at),
    ...(campaign.updated_at === null ? {} : { updated_at: isoOf(campaign.updated_at) }),
    object: "campaign",
  };
}

function templateBody({
  type,
  discount,
  gift,
  loyalty_card,
  redemption,
  code_config,
  is_referral_code,
}: VoucherTemplate) {
  return {
    type,
    ...(discount ? { discount: toDiscountBody(discount) } : {}),
    ...(gift ? { gift: { ...gift, subtracted_amount: 0, balance: gift.amount } } : {}),
    ...(loyalty_card ? { loyalty_card } : {}),
    redemption,
    code_config,
    is_referral_code,
  };
}

/** The assignments of one object among those of several. */
const of = (assignments: readonly Assignment[], id: string) =>
  assignments.filter(({ related_object_id }) => related_object_id === id);
