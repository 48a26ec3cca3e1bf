import type { EventName } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";

/** Of one project: as many things follow from one event at most. */
export const automations_max = 50;
/** How long it is known what was done for an event; no event is handed out again that late. */
export const steps_kept_days = 30;

/** What sets an automation off: events of customers, under the names by which they hear of them (events-and-webhooks.md §5.1). */
export const triggers = [
  "customer.created",
  "customer.updated",
  "customer.custom_event",
  "customer.segment.entered",
  "customer.segment.left",
  "customer.order.created",
  "customer.order.updated",
  "customer.order.paid",
  "customer.order.canceled",
  "customer.publication.succeeded",
  "customer.redemption.succeeded",
  "customer.redemption.rollback.succeeded",
  "customer.referred",
  "customer.rewarded",
  "customer.rewarded.loyalty_points",
  "customer.reward_redemptions.completed",
  "customer.voucher.gift.balance_added",
  "customer.voucher.loyalty_card.points_added",
  "customer.voucher.loyalty_card.points_expired",
  "customer.voucher.loyalty_card.pending_points.added",
  "customer.voucher.loyalty_card.pending_points.updated",
  "customer.voucher.loyalty_card.pending_points.activated",
  "customer.voucher.loyalty_card.pending_points.canceled",
  "customer.loyalty.tier.joined",
  "customer.loyalty.tier.left",
  "customer.loyalty.tier.upgraded",
  "customer.loyalty.tier.downgraded",
  "customer.loyalty.tier.prolonged",
] as const satisfies readonly EventName[];
export type Trigger = (typeof triggers)[number];

const startsWithOneOf = (prefixes: readonly string[]) => (event: Trigger) =>
  prefixes.some((prefix) => event.startsWith(prefix));

/** What a code may be given for; what the service itself does with codes sets off messages alone (§5.2). */
export const mayPublish = startsWithOneOf([
  ...["customer.created", "customer.custom_event", "customer.segment.", "customer.order."],
]);
export const isAboutSegment = startsWithOneOf(["customer.segment."]);
/** Whether what the event says names the campaign that it is about. */
export const isAboutCampaign = startsWithOneOf([
  ...["customer.publication.", "customer.redemption.", "customer.referred", "customer.reward", "customer.voucher."],
  "customer.loyalty.",
]);

/** How an automation tells, but for the address (§5.3, §5.4). */
export interface Message {
  /** What the receiver knows the event by. */
  event_name: string;
  /** A text with places for what the event says; null: all that it says. */
  payload: string | null;
  /** Whether it goes out as it is, without what messages to webhooks say around it. */
  is_raw: boolean;
}

/** What happens by itself when something has happened to a customer, as stored. */
export interface Automation {
  /** `distr_…`: its address is a webhook's neighbour, under the same id. */
  id: string;
  name: string;
  active: boolean;
  active_since: Instant;
  event: Trigger;
  segment_id: string | null;
  /** The name of a custom event. */
  custom_event: string | null;
  /** The campaign that the event must be about. */
  campaign_id: string | null;
  validation_rule_id: string | null;
  /** The campaign that a code is given of; null where it only tells. */
  published_campaign_id: string | null;
  message: Message | null;
  created_at: Instant;
  updated_at: Instant | null;
}

/** With the address of its messages, null where it has none; switched off also when its address was. */
export interface StoredAutomation extends Automation {
  target_url: string | null;
  /** Headers that its messages have beside ours. */
  headers_sealed: Buffer | null;
}
