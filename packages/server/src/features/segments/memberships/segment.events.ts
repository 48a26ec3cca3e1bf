import type { NewEvent } from "../../../events/index.js";
import type { Customer } from "../../customers/index.js";
import type { SegmentRow } from "../segment.js";

/** The customer as they were; a segment may be gone by the time that it is told. */
export interface Moved {
  customer: Customer;
  segment: { id: string; name: string; object: "segment" };
}

declare module "../../../events/event.js" {
  interface EventData {
    "customer.segment.entered": Moved;
    "customer.segment.left": Moved;
  }
}

/** A membership of an auto-update segment has begun or ended (events-and-webhooks.md §4). */
export const segmentEvent = (
  type: "customer.segment.entered" | "customer.segment.left",
  customer: Customer,
  { id, name }: SegmentRow,
): NewEvent => ({
  type,
  entity_id: customer.id,
  customer_id: customer.id,
  data: { customer, segment: { id, name, object: "segment" } },
});
