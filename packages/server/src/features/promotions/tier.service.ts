import { ALWAYS } from "@guerdon/engine";
import { type Instant, isoOf } from "../../platform/clock.js";
import { newId } from "../../platform/ids.js";
import { readDiscount, readWindow, toDiscountBody, toWindowBody } from "../../terms/index.js";
import { type Category, toCategoryBody } from "../categories/index.js";
import { type Assignment, ruleAssignments } from "../validation-rules/index.js";
import type { PromotionTier, TierCampaign, TierSummary } from "./tier.js";
import type { TierBody, TierInput, TierUpdate } from "./tier.schemas.js";

/**
 * New tiers of a campaign in the order sent, hierarchies 1, 2, … after `last` unless given (redemption.md §14).
 * Categories are set by the caller, who resolves them inside the transaction.
 */
export function newTiers(
  inputs: readonly TierInput[],
  {
    campaign_id,
    instant,
    last = 0,
    at,
  }: { campaign_id: string; instant: Instant; last?: number; at: (i: number) => string },
): PromotionTier[] {
  let hierarchy = last;
  return inputs.map((input, i) => {
    hierarchy = input.hierarchy ?? hierarchy + 1;
    return {
      id: newId("promo"),
      campaign_id,
      name: input.name,
      banner: input.banner ?? null,
      discount: readDiscount(input.action.discount, "campaign", `${at(i)}.action.discount.`),
      metadata: input.metadata ?? {},
      hierarchy,
      active: input.active ?? true,
      ...readWindow(input, ALWAYS, "campaign", `${at(i)}.`),
      category_id: null,
      created_at: instant,
      updated_at: null,
    };
  });
}

/** The rules that a tier is sent with, in either form (redemption.md §14); undefined where nothing is said. */
export function rulesNamed({
  validation_rules,
  validation_rule_assignments,
}: Pick<TierInput, "validation_rules" | "validation_rule_assignments">): string[] | undefined {
  if (validation_rules) return validation_rules;
  return validation_rule_assignments?.data.map(({ rule_id }) => rule_id);
}

/** A tier as an edit leaves it, but for its category and its place; what is left out stays (redemption.md §14). */
export function changedTier(stored: PromotionTier, input: TierUpdate, instant: Instant): PromotionTier {
  const { discount } = input.action ?? {};
  return {
    ...stored,
    ...readWindow(input, stored, "campaign"),
    name: input.name ?? stored.name,
    banner: input.banner === undefined ? stored.banner : input.banner,
    discount: discount ? readDiscount(discount, "campaign", ".action.discount.") : stored.discount,
    metadata: { ...stored.metadata, ...input.metadata },
    updated_at: instant,
  };
}

/**
 * The tiers of a campaign with one of them at a hierarchy of its own: 1, 2, … without a gap, as the others stand.
 * @param others in the order of their hierarchy
 */
export function placed(others: readonly PromotionTier[], tier: PromotionTier): PromotionTier[] {
  const before = Math.min(tier.hierarchy, others.length + 1) - 1;
  return [...others.slice(0, before), tier, ...others.slice(before)].map((one, i) => ({ ...one, hierarchy: i + 1 }));
}

const nothing_redeemed: TierSummary = { total_redeemed: 0, total_amount: 0, total_discount_amount: 0 };

/** A tier as answered (redemption.md §14). */
export function toTierBody(
  tier: PromotionTier,
  campaign: TierCampaign,
  category: Category | null | undefined,
  summary: TierSummary = nothing_redeemed,
  assignments: readonly Assignment[] = [],
): TierBody {
  const { total_redeemed, total_amount, total_discount_amount } = summary;
  return {
    id: tier.id,
    name: tier.name,
    ...(tier.banner === null ? {} : { banner: tier.banner }),
    action: { discount: toDiscountBody(tier.discount) },
    metadata: tier.metadata,
    hierarchy: tier.hierarchy,
    promotion_id: tier.campaign_id,
    campaign_id: tier.campaign_id,
    campaign: {
      id: campaign.id,
      ...toWindowBody(campaign),
      active: campaign.active,
      ...(campaign.category_id === null ? {} : { category_id: campaign.category_id }),
      object: "campaign",
    },
    active: tier.active,
    ...toWindowBody(tier),
    summary: { redemptions: { total_redeemed }, orders: { total_amount, total_discount_amount } },
    validation_rule_assignments: ruleAssignments(assignments),
    ...(category ? { category_id: category.id } : {}),
    categories: category ? [toCategoryBody(category)] : [],
    created_at: isoOf(tier.created_at),
    ...(tier.updated_at === null ? {} : { updated_at: isoOf(tier.updated_at) }),
    object: "promotion_tier",
  };
}
