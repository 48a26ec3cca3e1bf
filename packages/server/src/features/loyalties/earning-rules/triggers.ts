/** What sets a rule off: an event of ours, or one that the project defined (loyalty.md §4.2). */
export type EventKind = "order" | "segment" | "tier" | "custom";

const kinds: Record<string, EventKind> = {
  "order.paid": "order",
  "customer.segment.entered": "segment",
  "customer.loyalty.tier.joined": "tier",
  "customer.loyalty.tier.left": "tier",
  "customer.loyalty.tier.upgraded": "tier",
  "customer.loyalty.tier.downgraded": "tier",
  "customer.loyalty.tier.prolonged": "tier",
};

export function kindOf(event: string): EventKind {
  return Object.hasOwn(kinds, event) ? (kinds[event] as EventKind) : "custom";
}

/** Any tier of the campaign. */
export const any_tier = "__ANY__";
