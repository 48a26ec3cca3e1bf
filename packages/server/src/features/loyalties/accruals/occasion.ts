import type { EventSource } from "../../../events/index.js";
import { clocks_differ_ms_max, type Instant } from "../../../platform/clock.js";
import type { CustomEventData } from "../../custom-events/index.js";
import type { Order } from "../../orders/index.js";
import { any_tier, type EarningRule, kindOf } from "../earning-rules/index.js";

/** What has happened, as far as earning rules look at it (loyalty.md §4.2). */
export type Occasion =
  | { kind: "custom"; name: string; data: CustomEventData }
  | { kind: "order"; name: "order.paid"; order: Order }
  | { kind: "segment"; name: "customer.segment.entered"; segment: { id: string; name: string } }
  | {
      kind: "tier";
      name: string;
      campaign_id: string;
      /** The tier that was left, else the new one. */
      tier: { id: string; name: string };
    };

/** An event that may earn points. */
export interface EarningTask {
  project_id: string;
  event_id: string;
  /** As the event is called in the customer's activity. */
  type: string;
  customer_id: string | null;
  /** The request that caused it, and who made that. */
  group_id: string;
  event_source: EventSource;
  occasion: Occasion;
  created_at: Instant;
}

/** Whether an event is one that the rule waits for; a custom event is never taken for one of ours of the same name. */
export function setsOff({ occasion, created_at }: EarningTask, rule: EarningRule): boolean {
  if (rule.event !== occasion.name || kindOf(rule.event) !== occasion.kind) return false;
  // A rule counts for events from its making on.
  if (rule.created_at > created_at + clocks_differ_ms_max) return false;
  switch (occasion.kind) {
    case "segment":
      return rule.segment_id === occasion.segment.id;
    case "tier":
      return rule.loyalty_tier_id === any_tier
        ? rule.campaign_id === occasion.campaign_id
        : rule.loyalty_tier_id === occasion.tier.id;
    default:
      return true;
  }
}

/** The code of the one card that the event is about, where it says so (loyalty.md §4.5). */
export const codeIn = ({ occasion }: EarningTask): string | null =>
  occasion.kind === "custom" ? (occasion.data.loyalty?.code ?? null) : null;

/** What the books keep of it beside the event's id (loyalty.md §7). */
export function detailsOf(occasion: Occasion): Record<string, unknown> {
  switch (occasion.kind) {
    case "custom":
      return {
        custom_event: { id: occasion.data.id, type: occasion.data.type },
        event_schema: occasion.data.event_schema,
      };
    case "order":
      return { order: { id: occasion.order.id, source_id: occasion.order.source_id } };
    case "segment":
      return { segment: { id: occasion.segment.id, name: occasion.segment.name } };
    case "tier":
      return { loyalty_tier: { id: occasion.tier.id, name: occasion.tier.name } };
  }
}
