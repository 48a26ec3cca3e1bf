import { ALWAYS, parseDuration } from "@guerdon/engine";
import type { Instant } from "../../platform/clock.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { invalid, readDiscount, readWindow } from "../../terms/index.js";
import type { Project } from "../projects/index.js";
import {
  readCodeConfig,
  readGift,
  readLoyaltyCard,
  readQuantity,
  typeOf,
  type VoucherTemplate,
  type VoucherType,
} from "../vouchers/index.js";
import type { Campaign } from "./campaign.js";
import type { CampaignCreate, TemplateInput } from "./campaign.schemas.js";
import { readTiersExpiration } from "./loyalty-settings.schemas.js";

type CampaignType = Campaign["campaign_type"];

const voucher_types: Record<CampaignType, VoucherType | null> = {
  DISCOUNT_COUPONS: "DISCOUNT_VOUCHER",
  GIFT_VOUCHERS: "GIFT_VOUCHER",
  LOYALTY_PROGRAM: "LOYALTY_CARD",
  REFERRAL_PROGRAM: "DISCOUNT_VOUCHER",
  PROMOTION: null,
};

/** A campaign as `POST /v1/campaigns` makes it; what the database is asked for is set by the caller (vouchers-and-campaigns.md §2). */
export function newCampaign(
  project: Project,
  input: CampaignCreate,
  vouchers_count: number,
  instant: Instant,
): Campaign {
  const campaign_type = campaignTypeOf(input);
  assertOffered(campaign_type, input);
  const type = campaign_type === "PROMOTION" ? "STATIC" : (input.type ?? "AUTO_UPDATE");
  const is_generating = vouchers_count > 1;
  return {
    id: newId("camp"),
    name: input.name,
    description: input.description ?? null,
    campaign_type,
    type,
    voucher:
      campaign_type === "PROMOTION" ? null : newTemplate(project, campaign_type, input.voucher ?? {}, vouchers_count),
    referral_program: null,
    loyalty_tiers_expiration: readTiersExpiration(campaign_type, input.loyalty_tiers_expiration, null),
    auto_join: input.auto_join ?? false,
    join_once: joinsOnce(campaign_type, type, input.join_once),
    use_voucher_metadata_schema: input.use_voucher_metadata_schema ?? false,
    ...readWindow(input, ALWAYS, "campaign"),
    activity_duration_after_publishing: readDuration(input.activity_duration_after_publishing),
    active: input.active ?? true,
    protected: false,
    category_id: null,
    metadata: input.metadata ?? {},
    creation_status: is_generating ? "IN_PROGRESS" : "DONE",
    vouchers_generation_status: is_generating ? "IN_PROGRESS" : "DONE",
    created_at: instant,
    updated_at: null,
  };
}

/** How many vouchers the body asks for: promotions have none, and a standalone campaign gets its one by name (§2.3). */
export function vouchersAskedFor(input: CampaignCreate): number {
  if (input.type === "STANDALONE" || campaignTypeOf(input) === "PROMOTION") return 0;
  return input.vouchers_count ?? 0;
}

/** The type that is named, or that the voucher or the promotion tells (§2.2). */
function campaignTypeOf({ campaign_type, voucher, promotion, referral_program }: CampaignCreate): CampaignType {
  if (campaign_type) return campaign_type;
  if (promotion) return "PROMOTION";
  const type = voucher ? typeOf(voucher, "campaign") : null;
  if (type === "GIFT_VOUCHER") return "GIFT_VOUCHERS";
  if (type === "LOYALTY_CARD") return "LOYALTY_PROGRAM";
  if (type === null)
    throw invalid("campaign", "Property .campaign_type is required, or a voucher or promotion that tells it");
  return voucher?.is_referral_code || referral_program ? "REFERRAL_PROGRAM" : "DISCOUNT_COUPONS";
}

/** Whether a customer gets one code at most: always in a loyalty program (loyalty.md §1.1), never of a single code. */
export function joinsOnce(
  campaign_type: CampaignType,
  type: Campaign["type"],
  wanted: boolean | null | undefined,
): boolean {
  if (campaign_type === "LOYALTY_PROGRAM") return true;
  return type === "STANDALONE" ? false : (wanted ?? false);
}

/** Refuses what the contract has no campaign for, and what a campaign of the type does not have: left out in silence it would be missed. */
function assertOffered(campaign_type: CampaignType, input: CampaignCreate): void {
  const { voucher, type } = input;
  if ((campaign_type === "LOYALTY_PROGRAM" || campaign_type === "REFERRAL_PROGRAM") && type === "STANDALONE") {
    throw invalid("campaign", `A ${campaign_type} campaign cannot be of type STANDALONE`);
  }
  if (campaign_type === "REFERRAL_PROGRAM" && !voucher?.discount) {
    throw invalid("campaign", "Property 'discount' is required for REFERRAL_PROGRAM campaign");
  }
  const extra = {
    voucher: campaign_type === "PROMOTION" && voucher != null,
    promotion: campaign_type !== "PROMOTION" && input.promotion != null,
    referral_program: campaign_type !== "REFERRAL_PROGRAM" && input.referral_program != null,
    // Its rewards have rules, and it may be given one later (vouchers-and-campaigns.md §2.2).
    validation_rules: campaign_type === "LOYALTY_PROGRAM" && (input.validation_rules ?? []).length > 0,
  };
  for (const [name, is_extra] of Object.entries(extra)) {
    if (is_extra) throw invalid("campaign", `Property '${name}' does not belong in a ${campaign_type} campaign`);
  }
}

function newTemplate(
  project: Project,
  campaign_type: CampaignType,
  input: TemplateInput,
  count: number,
): VoucherTemplate {
  const type = typeOf(input, "campaign") ?? voucher_types[campaign_type];
  if (type === null || type !== voucher_types[campaign_type]) {
    throw invalid("campaign", `Vouchers of type ${type} do not belong in a ${campaign_type} campaign`);
  }
  if (type === "DISCOUNT_VOUCHER" && !input.discount) {
    throw invalid("campaign", `Property 'discount' is required for ${campaign_type} campaign`);
  }
  return {
    type,
    ...(type === "DISCOUNT_VOUCHER" && input.discount
      ? { discount: readDiscount(input.discount, "campaign", ".voucher.discount.") }
      : {}),
    ...(type === "GIFT_VOUCHER" ? { gift: readGift(input.gift, "campaign") } : {}),
    ...(type === "LOYALTY_CARD"
      ? { loyalty_card: readLoyaltyCard(input.loyalty_card, null, ".voucher.loyalty_card") }
      : {}),
    redemption: { quantity: readQuantity(input.redemption?.quantity, "campaign") },
    code_config: readCodeConfig(project, input.code_config, count),
    is_referral_code: campaign_type === "REFERRAL_PROGRAM",
  };
}

/** How long a code lives once it is published (§4.6). */
export function readDuration(text: string | null | undefined): string | null {
  if (text == null) return null;
  if (!parseDuration(text)) {
    throw problems.invalidPayload("Property .activity_duration_after_publishing must be an ISO 8601 duration");
  }
  return text;
}
