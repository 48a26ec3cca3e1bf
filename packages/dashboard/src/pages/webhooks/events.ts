import type { WebhookEvent } from "./webhooks.queries.js";

/** What a webhook may ask for, sorted by what it is about. */
export const event_groups = {
  redemptions: [
    "redemption.succeeded",
    "redemption.failed",
    "redemption.rollback.succeeded",
    "redemption.rollback.failed",
  ],
  customers: [
    "customer.created",
    "customer.updated",
    "customer.deleted",
    "customer.confirmed",
    "customer.rewarded",
    "customer.rewarded.loyalty_points",
    "customer.reward_redemptions.created",
    "customer.reward_redemptions.pending",
    "customer.reward_redemptions.completed",
    "customer.holder.assignment.created",
    "customer.holder.assignment.deleted",
  ],
  vouchers: [
    "publication.succeeded",
    "voucher.published",
    "voucher.created",
    "voucher.updated",
    "voucher.enabled",
    "voucher.disabled",
    "voucher.deleted",
  ],
  cards: [
    "voucher.gift.balance_added",
    "voucher.gift.transaction.created",
    "voucher.loyalty_card.points_added",
    "voucher.loyalty_card.points_expired",
    "voucher.loyalty_card.transaction.created",
    "voucher.loyalty_card.pending_points.added",
    "voucher.loyalty_card.pending_points.updated",
    "voucher.loyalty_card.pending_points.activated",
    "voucher.loyalty_card.pending_points.canceled",
  ],
  campaigns: [
    "campaign.created",
    "campaign.updated",
    "campaign.enabled",
    "campaign.disabled",
    "campaign.deleted",
    "campaign.vouchers.added",
    "campaign.vouchers.generation.started",
    "campaign.vouchers.generation.completed",
    "campaign.vouchers.generation.failed",
  ],
  promotions: [
    "campaign.promotion_tier.created",
    "campaign.promotion_tier.updated",
    "campaign.promotion_tier.enabled",
    "campaign.promotion_tier.disabled",
    "campaign.promotion_tier.deleted",
    "campaign.promotion_stack.created",
    "campaign.promotion_stack.updated",
  ],
  programs: [
    "campaign.earning_rule.assigned",
    "campaign.earning_rule.updated",
    "campaign.earning_rule.enabled",
    "campaign.earning_rule.disabled",
    "campaign.earning_rule.deleted",
    "campaign.loyalty_tier.created",
    "campaign.loyalty_tier.updated",
    "campaign.loyalty_tier.deleted",
    "campaign.referral_tier.created",
    "campaign.referral_tier.updated",
    "campaign.referral_tier.deleted",
    "campaign.reward.assignment.created",
    "campaign.reward.assignment.updated",
    "campaign.reward.assignment.deleted",
  ],
  rules: [
    "business_validation_rule.created",
    "business_validation_rule.updated",
    "business_validation_rule.deleted",
    "business_validation_rule.assignment.created",
    "business_validation_rule.assignment.deleted",
  ],
} as const satisfies Record<string, readonly WebhookEvent[]>;

export type EventGroup = keyof typeof event_groups;
export const groups = Object.keys(event_groups) as EventGroup[];

type Grouped = (typeof event_groups)[EventGroup][number];
/** An event that stands in no group does not compile. */
export const all_events: readonly ([WebhookEvent] extends [Grouped] ? WebhookEvent : never)[] = groups.flatMap(
  (group): readonly WebhookEvent[] => event_groups[group],
);
