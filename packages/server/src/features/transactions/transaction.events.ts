import type { LedgerEntry } from "../../books/index.js";
import type { NewEvent } from "../../events/index.js";

export interface Moved {
  /** The entry in the ledger says how much, and why. */
  transaction_id: string;
  voucher_id: string;
  campaign_id: string | null;
}

declare module "../../events/event.js" {
  interface EventData {
    /** Credits were added by hand, or taken away. */
    "voucher.gift.balance_added": Moved;
    /** A redemption took credits, or a rollback gave them back; by hand it is another name of the one above. */
    "voucher.gift.transaction.created": Moved;
    /** Points were, likewise by hand. */
    "voucher.loyalty_card.points_adjusted": Moved;
    /** Points went to another card, or came from one: a fact of each. */
    "voucher.loyalty_card.points_transferred": Moved;
  }
}

/** A balance has moved (events-and-webhooks.md §4); where that was by hand whoever holds the card hears of it too. */
export const movedEvent = (
  type:
    | "voucher.gift.balance_added"
    | "voucher.gift.transaction.created"
    | "voucher.loyalty_card.points_adjusted"
    | "voucher.loyalty_card.points_transferred",
  { id: transaction_id, voucher_id, campaign_id }: Pick<LedgerEntry, "id" | "voucher_id" | "campaign_id">,
  customer_id: string | null,
): NewEvent => ({ type, entity_id: voucher_id, customer_id, data: { transaction_id, voucher_id, campaign_id } });
