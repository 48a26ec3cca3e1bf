import type { NewEvent } from "../../../events/index.js";
import type { Accrual } from "./accrual.entries.js";

declare module "../../../events/event.js" {
  interface EventData {
    /** The entry in the ledger says by what rule and for which event. */
    "customer.rewarded.loyalty_points": { transaction_id: string; voucher_id: string; campaign_id: string | null };
  }
}

/** What an accrual tells, of the customer, the card and the ledger (events-and-webhooks.md §4). */
export function accrualEvent({ task: { customer_id }, card }: Accrual, transaction_id: string): NewEvent {
  return {
    type: "customer.rewarded.loyalty_points",
    entity_id: customer_id ?? card.id,
    customer_id,
    data: { transaction_id, voucher_id: card.id, campaign_id: card.campaign_id },
  };
}
