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

/**
 * What each type of event carries: ids, and what cannot be read again when the event is told. Of an object that people
 * edit that is the stored row as it was at that moment; of what is appended and never changes (a redemption, a ledger entry,
 * a publication) its id is enough. Every feature adds its own types, in its `<noun>.events.ts`:
 *
 *     declare module "../../events/event.js" {
 *       interface EventData {
 *         "customer.created": { customer: Customer };
 *       }
 *     }
 *
 * One fact is one type and one event; the other names it is told under are twins (`twins.ts`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features fill it
export interface EventData {}

/** A fact, as it is stored. */
export type EventType = keyof EventData;

/** Something that has happened, as the feature that did it tells it. */
export type NewEvent = {
  [Type in EventType]: {
    type: Type;
    /** The object the event is about. */
    entity_id: string;
    /** The customer whose activity shows it, and whom the twins of customers are about. */
    customer_id?: string | null;
    data: EventData[Type];
  };
}[EventType];

/** What is stored beside an event's type and data. */
export interface Envelope {
  project_id: string;
  id: string;
  entity_id: string;
  customer_id: string | null;
  /** The request that caused it. */
  group_id: string;
  event_source: EventSource;
  created_at: Instant;
}

/** An event as it is stored. */
export type StoredEvent = { [Type in EventType]: Envelope & { type: Type; data: EventData[Type] } }[EventType];

/** An event as its row of the outbox tells it: that it happened, when, and to what. */
export type BriefEvent<Type extends EventType> = Type extends EventType
  ? Pick<Envelope, "project_id" | "id" | "entity_id" | "created_at"> & { type: Type }
  : never;

const id_prefixes: Record<string, string> = {
  redemption: "evred",
  voucher: "evvou",
  customer: "evcus",
  campaign: "evcam",
  business_validation_rule: "evbvr",
  publication: "evpub",
  // Customers alone hear of it.
  referral: "evcus",
};

/** The prefix of an event's id says what it is about (events-and-webhooks.md §1). */
export function eventIdPrefix(type: string): string {
  return id_prefixes[type.split(".")[0] ?? ""] ?? "ev";
}
