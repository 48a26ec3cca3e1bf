import { movedEvent } from "../../features/transactions/index.js";
import type { Card } from "./card.js";

/** A voucher that pays with credit, minor units (discounts.md §7). */
export const giftCard: Card = {
  facts: ({ card: { gift, balance }, held, named_as }) => ({
    gift: {
      effect: gift?.effect ?? null,
      balance: balance ?? 0,
      held_balance: held,
      requested_credits: named_as.gift?.credits ?? null,
    },
    loyalty_card: null,
  }),
  spent: ({ increments }) => increments.gift_credits,
  spending: "CREDITS_REDEMPTION",
  give({ change, row }, { id: voucher_id, campaign_id, holder_id }, transaction_id) {
    if (transaction_id !== null) {
      const entry = { id: transaction_id, voucher_id, campaign_id };
      change.tell(movedEvent("voucher.gift.transaction.created", entry, holder_id ?? row.customer_id));
    }
    return null;
  },
  shown: (amount) => ({ gift: { amount } }),
};
