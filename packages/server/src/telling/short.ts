import type { RedemptionRow } from "../books/index.js";
import type { Campaign } from "../features/campaigns/index.js";
import { toCampaignBody } from "../features/campaigns/index.js";
import type { Category } from "../features/categories/index.js";
import type { RedemptionBody } from "../features/redemptions/index.js";
import { isoOf } from "../platform/clock.js";

type Shown = Record<string, unknown>;

const pick = (shown: object, names: readonly string[]): Shown =>
  Object.fromEntries(
    names.flatMap((name) => ((shown as Shown)[name] === undefined ? [] : [[name, (shown as Shown)[name]]])),
  );

/** What an answer shows, or nothing where there is none. */
const shortOf =
  (names: readonly string[]) =>
  (shown: object | null | undefined): Shown | null =>
    shown ? pick(shown, names) : null;

/** A card's credit beside what is told: what was taken away by hand stands in its books. */
const shortGift = (shown: object) => ("gift" in shown && shown.gift ? { gift: pick(shown.gift, gift_fields) } : {});
const gift_fields = ["amount", "balance", "effect"];

/** The template of a campaign's vouchers as events show it: codes say how they begin and end, and cards no more than their credit. */
export function templateTold(template: object): Shown {
  const { code_config = {} } = template as { code_config?: object };
  return { ...template, ...shortGift(template), code_config: { prefix: "", postfix: "", ...code_config } };
}

const quantities = ["quantity", "redeemed_quantity"];
const credit = ["discount", "gift", "loyalty_card"];

/** A voucher beside what is told (events-and-webhooks.md §3): without its assets, rules, and what it is not. */
export function shortVoucher(shown: object | null | undefined): Shown | null {
  if (!shown) return null;
  const { redemption } = shown as { redemption?: object };
  const own = pick(shown, voucher_fields);
  const held = Object.entries(pick(shown, credit)).filter(([, value]) => value !== null);
  return {
    ...own,
    ...Object.fromEntries(held),
    ...shortGift(shown),
    ...(redemption ? { redemption: pick(redemption, quantities) } : {}),
  };
}
const voucher_fields = [
  ...["id", "code", "type", "campaign", "campaign_id", "is_referral_code", "holder_id", "referrer_id", "category_id"],
  ...["categories", "active", "created_at", "updated_at", "start_date", "expiration_date", "metadata", "object"],
];

const campaign_fields = [
  ...[
    "id",
    "name",
    "campaign_type",
    "type",
    "auto_join",
    "join_once",
    "active",
    "category_id",
    "category",
    "categories",
  ],
  ...["metadata", "start_date", "expiration_date", "description", "created_at", "updated_at", "object"],
];
const template_fields = [...credit, "type", "code_config"];

/** A campaign beside what is told. */
export function shortCampaign(campaign: Campaign, category: Category | null): Shown {
  const body = toCampaignBody(campaign, { category });
  const { voucher, referral_program } = campaign;
  const template = body.voucher as { redemption?: object } | undefined;
  return {
    ...pick(body, campaign_fields),
    is_referral_code: voucher?.is_referral_code ?? false,
    ...(template
      ? {
          voucher: {
            ...pick(templateTold(template), template_fields),
            redemption: { ...pick(template.redemption ?? {}, quantities), redeemed_quantity: 0 },
          },
        }
      : {}),
    ...(referral_program ? { referral_program } : {}),
  };
}

const amounts = ["amount", "discount_amount", "applied_discount_amount"];
const item_fields = [
  ...["object", "source_id", "related_object", "product_id", "sku_id", "quantity", "discount_quantity", "price"],
  ...[...amounts, "subtotal_amount"],
];
const order_fields = [
  ...["id", "source_id", "status", "customer_id", "referrer_id", ...amounts, "items_discount_amount"],
  ...["items_applied_discount_amount", "total_discount_amount", "total_applied_discount_amount", "total_amount"],
  ...["metadata", "object"],
];

/** An order beside what is told: its lines without what they were before. */
export function shortOrder(shown: object | null | undefined): Shown | null {
  if (!shown) return null;
  const { items = [] } = shown as { items?: readonly object[] | null };
  return { ...pick(shown, order_fields), items: (items ?? []).map((item) => pick(item, item_fields)) };
}

export const shortTier = (shown: object | null | undefined): Shown | null => {
  if (!shown) return null;
  const { campaign } = shown as { campaign?: object };
  return {
    ...pick(shown, ["id", "name", "banner", "metadata"]),
    ...(campaign ? { campaign: pick(campaign, ["id"]) } : {}),
  };
};

/** A promotion stack beside what is told. */
export const shortStack = ({ campaign_id, ...stack }: { campaign_id: string }): Shown => ({
  ...pick(stack, ["id", "name", "category_id", "tiers"]),
  campaign: { id: campaign_id },
});

const reward_fields = [
  ...["id", "name", "object", "assignment_id", "loyalty_tier_id", "created_at", "updated_at", "parameters", "metadata"],
  ...["type", "customer"],
];

/** What was given for points. */
export function shortReward(shown: RedemptionBody["reward"] | undefined): Shown | null {
  if (!shown) return null;
  const { voucher, product, sku } = shown;
  return {
    ...pick(shown, reward_fields),
    voucher: shortVoucher(voucher),
    product: shortOf(["id", "source_id", "name"])(product),
    sku: shortOf(["id", "source_id", "sku"])(sku),
  };
}

/** What was given for something else than points. */
export const givenReward = (shown: object): Shown => pick(shown, reward_fields);

/** What points were taken for, by itself: when it was made is not told there. */
export const boughtReward = ({ created_at: _, ...shown }: { created_at: unknown }): Shown => shown;

/** A rule beside the points that it gave: what it is and when it was made is not told there. */
export const shortEarningRule = (shown: object): Shown => {
  const { created_at: _created, updated_at: _updated, object: _object, ...told } = shown as Shown;
  return told;
};

const redemption_fields = [
  ...["id", "object", "date", "customer_id", "tracking_id", "metadata", "amount", "redemption", "reason", "result"],
  ...["failure_code", "failure_message", "channel", "customer"],
];

/** A redemption or rollback beside what is told. @param status as it was left by what is told of */
export const shortRedemption = (body: RedemptionBody, status: "SUCCEEDED" | "FAILED" | "ROLLED BACK"): Shown => ({
  ...pick(body, redemption_fields),
  status,
  order: shortOrder(body.order),
  voucher: shortVoucher(body.voucher),
  promotion_tier: shortTier(body.promotion_tier),
  reward: shortReward(body.reward),
});

const whole_redemption_fields = [
  ...["id", "object", "customer_id", "tracking_id", "metadata", "amount", "redemption", "reason", "result"],
  ...["failure_code", "failure_message", "order", "reward", "customer", "voucher", "promotion_tier"],
  ...["related_object_type", "related_object_id"],
];

/** A redemption that was granted, as whoever gave a reward by it knows it: with what it is of by name, and without what it is not. */
export function wholeRedemption(body: RedemptionBody, row: RedemptionRow, campaign_name: unknown): Shown {
  const { channel_type, channel_id } = row.channel;
  const shown = {
    ...pick(body, whole_redemption_fields),
    ...{ status: "SUCCEEDED", created_at: isoOf(row.created_at), channel_type, channel_id },
    ...{ parent_redemption_id: row.parent_id, related_object_parent_id: row.campaign_id, campaign_name },
  };
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null && value !== undefined));
}
