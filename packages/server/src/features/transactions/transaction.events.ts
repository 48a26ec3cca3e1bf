import type { LedgerEntry } from "../../books/index.js";
import type { NewEvent } from "../../events/index.js";

export interface Adjusted {
  /** The entry in the ledger says how much, and why. */
  transaction_id: string;
  voucher_id: string;
  campaign_id: string | null;
}

declare module "../../events/event.js" {
  interface EventData {
    /** Credits were added by hand, or taken away. */
    "voucher.gift.balance_added": Adjusted;
    /** Points were, likewise. */
    "voucher.loyalty_card.points_adjusted": Adjusted;
  }
}

/** A balance was changed by hand (events-and-webhooks.md §4); whoever holds the card hears of it too. */
export const adjustedEvent = (
  type: "voucher.gift.balance_added" | "voucher.loyalty_card.points_adjusted",
  { id: transaction_id, voucher_id, campaign_id }: LedgerEntry,
  customer_id: string | null,
): NewEvent => ({ type, entity_id: voucher_id, customer_id, data: { transaction_id, voucher_id, campaign_id } });
