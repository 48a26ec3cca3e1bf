/** What an address may be told of (events-and-webhooks.md §3), whether anything tells it yet or not. */
export const webhook_events = [
  "business_validation_rule.assignment.created",
  "business_validation_rule.assignment.deleted",
  "business_validation_rule.created",
  "business_validation_rule.deleted",
  "business_validation_rule.updated",
  "campaign.created",
  "campaign.deleted",
  "campaign.disabled",
  "campaign.enabled",
  "campaign.earning_rule.assigned",
  "campaign.earning_rule.deleted",
  "campaign.earning_rule.disabled",
  "campaign.earning_rule.enabled",
  "campaign.earning_rule.updated",
  "campaign.loyalty_tier.created",
  "campaign.loyalty_tier.deleted",
  "campaign.loyalty_tier.updated",
  "campaign.promotion_stack.created",
  "campaign.promotion_stack.updated",
  "campaign.promotion_tier.created",
  "campaign.promotion_tier.deleted",
  "campaign.promotion_tier.disabled",
  "campaign.promotion_tier.enabled",
  "campaign.promotion_tier.updated",
  "campaign.referral_tier.created",
  "campaign.referral_tier.deleted",
  "campaign.referral_tier.updated",
  "campaign.reward.assignment.created",
  "campaign.reward.assignment.deleted",
  "campaign.reward.assignment.updated",
  "campaign.updated",
  "campaign.vouchers.added",
  "campaign.vouchers.generation.completed",
  "campaign.vouchers.generation.failed",
  "campaign.vouchers.generation.started",
  "customer.confirmed",
  "customer.created",
  "customer.deleted",
  "customer.holder.assignment.created",
  "customer.holder.assignment.deleted",
  "customer.reward_redemptions.completed",
  "customer.reward_redemptions.created",
  "customer.reward_redemptions.pending",
  "customer.rewarded",
  "customer.rewarded.loyalty_points",
  "customer.updated",
  "publication.succeeded",
  "redemption.failed",
  "redemption.rollback.failed",
  "redemption.rollback.succeeded",
  "redemption.succeeded",
  "voucher.created",
  "voucher.deleted",
  "voucher.disabled",
  "voucher.enabled",
  "voucher.gift.balance_added",
  "voucher.gift.transaction.created",
  "voucher.loyalty_card.pending_points.activated",
  "voucher.loyalty_card.pending_points.added",
  "voucher.loyalty_card.pending_points.canceled",
  "voucher.loyalty_card.pending_points.updated",
  "voucher.loyalty_card.points_added",
  "voucher.loyalty_card.points_expired",
  "voucher.loyalty_card.transaction.created",
  "voucher.published",
  "voucher.updated",
] as const;

export type WebhookEvent = (typeof webhook_events)[number];

/** As the published contract spells them, and generated clients send them. */
const misspelt = {
  "campaign.vouchers.aded": "campaign.vouchers.added",
  "voucher.gift.balance_aded": "voucher.gift.balance_added",
  "voucher.loyalty_card.pending_points.aded": "voucher.loyalty_card.pending_points.added",
  "voucher.loyalty_card.points_aded": "voucher.loyalty_card.points_added",
} as const satisfies Record<string, WebhookEvent>;

type Misspelt = keyof typeof misspelt;

/** What may be sent; {@link subscribedTo} says what is meant. */
export const accepted_events: readonly (WebhookEvent | Misspelt)[] = [
  ...webhook_events,
  ...(Object.keys(misspelt) as Misspelt[]),
];

/** Stands for every event, also for those that later versions tell. */
const every_event = "*";

/** What an address has asked for, as stored. */
export type Subscription = WebhookEvent | typeof every_event;

/** The events meant, each once and rightly spelt, in the order sent. Whoever asks for all there are wants to hear of everything. */
export function subscribedTo(sent: readonly (WebhookEvent | Misspelt)[]): Subscription[] {
  const meant = new Set(
    sent.map((event) => (event in misspelt ? misspelt[event as Misspelt] : (event as WebhookEvent))),
  );
  return meant.size === webhook_events.length ? [every_event] : [...meant];
}

/** The events that are asked for, as far as there are any yet. */
export const eventsIn = (subscriptions: readonly Subscription[]): WebhookEvent[] =>
  subscriptions.flatMap((one) => (one === every_event ? webhook_events : one));

/** Whether an event is asked for, by its name. */
export const isAskedFor = (subscriptions: readonly Subscription[], name: string): boolean =>
  subscriptions.some((one) => one === every_event || one === name);
