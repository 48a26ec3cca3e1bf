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
  shown: (amount) => ({ gift: { amount } }),
};
