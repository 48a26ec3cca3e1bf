import { ALWAYS } from "@guerdon/engine";
import { invalid, readDiscount, readWindow } from "../../terms/index.js";
import type { Category } from "../categories/index.js";
import type { Gift, NewVoucher, VoucherCampaign, VoucherTemplate, VoucherType } from "./voucher.js";
import type { GiftInput, VoucherAddition, VoucherCreate } from "./voucher.schemas.js";

/** What a body gives a voucher, whose it is left aside. */
type Given = Pick<VoucherCreate, "type" | "discount" | "gift" | "loyalty_card">;

const parts = { DISCOUNT_VOUCHER: "discount", GIFT_VOUCHER: "gift", LOYALTY_CARD: "loyalty_card" } as const;

/** The type that a body names, or that its one part tells (vouchers-and-campaigns.md §1.2). Null: it says nothing. */
export function typeOf(input: Given, object: "voucher" | "campaign" = "voucher"): VoucherType | null {
  if (input.type) return input.type;
  const told = (Object.keys(parts) as VoucherType[]).filter((type) => input[parts[type]] != null);
  if (told.length > 1)
    throw invalid(object, "Property .type is required with more than one of discount, gift, loyalty_card");
  return told[0] ?? null;
}

/** The credit a card starts with, and how it pays. A balance that is sent is ignored. */
export function readGift(input: GiftInput | null | undefined, object: "voucher" | "campaign" = "voucher"): Gift {
  if (input?.amount == null) throw invalid(object, "Property .gift.amount is required for GIFT_VOUCHER");
  return { amount: input.amount, effect: input.effect ?? "APPLY_TO_ORDER" };
}

/** Redemptions allowed: at least one, or null for no limit. */
export function readQuantity(
  quantity: number | null | undefined,
  object: "voucher" | "campaign" = "voucher",
): number | null {
  if (quantity == null) return null;
  if (quantity < 1) throw invalid(object, "Property .redemption.quantity must be a positive integer or null");
  return quantity;
}

/** A voucher as `POST /v1/vouchers` makes it: what is not sent comes from its campaign, if it joins one (§5.1). */
export function newVoucher(input: VoucherCreate, campaign: VoucherCampaign | null): NewVoucher {
  const template = templateOf(campaign);
  const type = typeOf(input) ?? template?.type ?? null;
  if (type === null) throw invalid("voucher", "Property .type is required, or one of discount, gift, loyalty_card");
  if (template && template.type !== type) {
    throw invalid("voucher", `A ${type} cannot join a campaign whose vouchers are of type ${template.type}`);
  }
  if (type === "LOYALTY_CARD" && template?.type !== "LOYALTY_CARD") {
    throw invalid("voucher", "A LOYALTY_CARD needs loyalty_card.points and a loyalty campaign");
  }
  const given = givenParts(type, input, template);
  return joinedParts(input, campaign, given, input.active === undefined ? true : input.active);
}

/** What a voucher gives. */
type Gives = Pick<NewVoucher, "type" | "discount" | "gift" | "loyalty_card">;

function givenParts(type: VoucherType, input: Given, template: VoucherTemplate | null): Gives {
  if (type === "DISCOUNT_VOUCHER") {
    const stored = template?.discount;
    if (!input.discount && !stored) throw invalid("voucher", "Property .discount is required for DISCOUNT_VOUCHER");
    const discount = input.discount ? readDiscount(input.discount, "voucher") : (stored ?? null);
    return { type, discount, gift: null, loyalty_card: null };
  }
  if (type === "GIFT_VOUCHER") {
    const gift = template?.gift && !input.gift ? template.gift : readGift(input.gift);
    return { type, discount: null, gift, loyalty_card: null };
  }
  return { type, discount: null, gift: null, loyalty_card: template?.loyalty_card ?? null };
}

/** A voucher added to a campaign: what it gives is the campaign's, and it starts active (§6). */
export function addedVoucher(input: VoucherAddition, campaign: VoucherCampaign): NewVoucher {
  const template = templateOf(campaign);
  if (!template) throw invalid("campaign", "Vouchers cannot be added to a campaign without them");
  const { type, discount = null, gift = null, loyalty_card = null } = template;
  return joinedParts(input, campaign, { type, discount, gift, loyalty_card }, true);
}

/** Field by field, and nothing spread: a million of them are imported. */
function joinedParts(
  input: VoucherAddition,
  campaign: VoucherCampaign | null,
  { type, discount, gift, loyalty_card }: Gives,
  active: boolean | null,
): NewVoucher {
  const template = templateOf(campaign);
  const window = readWindow(input, campaign ?? ALWAYS, "voucher");
  const inherited = campaign?.use_voucher_metadata_schema ? campaign.metadata : null;
  const quantity = input.redemption?.quantity;
  return {
    campaign_id: campaign?.id ?? null,
    type,
    discount,
    gift,
    loyalty_card,
    quantity: quantity === undefined ? (template?.redemption.quantity ?? null) : readQuantity(quantity),
    category_id: campaign?.category_id ?? null,
    start_date: window.start_date,
    expiration_date: window.expiration_date,
    validity_timeframe: window.validity_timeframe,
    validity_day_of_week: window.validity_day_of_week,
    validity_hours: window.validity_hours,
    active,
    additional_info: input.additional_info ?? null,
    metadata: inherited ? { ...inherited, ...input.metadata } : { ...input.metadata },
    is_referral_code: template?.is_referral_code ?? false,
  };
}

function templateOf(campaign: VoucherCampaign | null) {
  if (campaign && !campaign.voucher) throw invalid("campaign", "The campaign has no vouchers");
  return campaign?.voucher ?? null;
}

/** The voucher in the category that its body names, or in none; unnamed it keeps the campaign's. */
export function inCategory(made: NewVoucher, category: Category | null | undefined): NewVoucher {
  return category === undefined ? made : { ...made, category_id: category?.id ?? null };
}
