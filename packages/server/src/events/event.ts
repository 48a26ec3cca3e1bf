import type { Instant } from "../platform/clock.js";

/** Who did it (events-and-webhooks.md §1). It is what an audit shows, and cannot be filled in afterwards. */
export interface EventSource {
  channel: "USER_PORTAL" | "API" | "CLIENT_API" | "INTERNAL";
  user?: { id: string };
  api_key?: { name: string; app_id: string };
}

/** The request that makes an event true. */
export interface Cause {
  project_id: string;
  request_id: string;
  event_source: EventSource;
  instant: Instant;
}

/** Something that has happened, as the feature that did it tells it. */
export interface NewEvent {
  type: EventType;
  /** The object the event is about. */
  entity_id: string;
  /** The customer whose activity shows it. */
  customer_id?: string | null;
  /** Ids, and what cannot be read any more when the event is told: amounts, states, the object as it was. */
  data: Record<string, unknown>;
}

/** An event as its consumers read it. */
export interface StoredEvent {
  project_id: string;
  id: string;
  type: EventType;
  entity_id: string;
  customer_id: string | null;
  /** The request that caused it. */
  group_id: string;
  event_source: EventSource;
  data: Record<string, unknown>;
  created_at: Instant;
}

/** Project events and their customer twins (events-and-webhooks.md §3, §7), as far as something emits them. */
export type EventType =
  | `campaign.${"created" | "updated" | "enabled" | "disabled" | "deleted"}`
  | "campaign.vouchers.added"
  | `campaign.vouchers.generation.${"started" | "completed" | "failed"}`
  | `campaign.promotion_tier.${"created" | "updated" | "enabled" | "disabled" | "deleted"}`
  | `voucher.${"created" | "updated" | "enabled" | "disabled" | "deleted"}`
  | "voucher.gift.transaction.created"
  | `customer.${"created" | "updated" | "deleted"}`
  | `customer.order.${"created" | "updated" | "paid" | "canceled" | "fulfilled"}`
  | `business_validation_rule.${"created" | "updated" | "deleted"}`
  | `business_validation_rule.assignment.${"created" | "deleted"}`
  | `redemption.${"succeeded" | "failed"}`
  | `redemption.rollback.${"succeeded" | "failed"}`
  | "customer.voucher.deleted"
  | "customer.custom_event"
  | "publication.succeeded"
  | "voucher.published"
  | `customer.publication.${"succeeded" | "failed"}`
  | "customer.holder.assignment.created"
  | `campaign.earning_rule.${"assigned" | "updated" | "enabled" | "disabled" | "deleted"}`
  | "voucher.loyalty_card.transaction.created"
  | "voucher.loyalty_card.points_added"
  | "customer.voucher.loyalty_card.points_added"
  | "customer.rewarded.loyalty_points";

const id_prefixes: Record<string, string> = {
  redemption: "evred",
  voucher: "evvou",
  customer: "evcus",
  campaign: "evcam",
  business_validation_rule: "evbvr",
  publication: "evpub",
};

/** The prefix of an event's id says what it is about (events-and-webhooks.md §1). */
export function eventIdPrefix(type: EventType): string {
  return id_prefixes[type.split(".")[0] ?? ""] ?? "ev";
}
