import type { PendingPoints } from "../../../books/index.js";
import type { NewEvent } from "../../../events/index.js";

export type OperationType = "MANUAL" | "AUTOMATIC";

interface Pended {
  /** As they are from then on. */
  pending_points: PendingPoints;
  /** By how many points they changed; less than nothing where they went. */
  points: number;
  /** All that pends on the card from then on. */
  total: number;
  operation_type: OperationType;
}

declare module "../../../events/event.js" {
  interface EventData {
    "voucher.loyalty_card.pending_points.added": Pended;
    "voucher.loyalty_card.pending_points.updated": Pended;
    "voucher.loyalty_card.pending_points.canceled": Pended;
    /** They are the card's now: the entry in the ledger says how many. */
    "voucher.loyalty_card.pending_points.activated": {
      pending_points: PendingPoints;
      transaction_id: string;
      voucher_id: string;
      campaign_id: string;
    };
  }
}

/** What pends on a card has changed, of which whoever holds it hears too (events-and-webhooks.md §4). */
export const pendingEvent = (what: "added" | "updated" | "canceled", data: Pended): NewEvent => ({
  type: `voucher.loyalty_card.pending_points.${what}`,
  entity_id: data.pending_points.voucher_id,
  customer_id: data.pending_points.customer_id,
  data,
});

export const activatedEvent = (pending_points: PendingPoints, transaction_id: string): NewEvent => ({
  type: "voucher.loyalty_card.pending_points.activated",
  entity_id: pending_points.voucher_id,
  customer_id: pending_points.customer_id,
  data: {
    pending_points,
    transaction_id,
    voucher_id: pending_points.voucher_id,
    campaign_id: pending_points.campaign_id,
  },
});
