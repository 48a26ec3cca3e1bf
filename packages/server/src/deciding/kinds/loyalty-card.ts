import type { Card } from "./card.js";

/** A voucher that holds points. Rewards are not there yet, so it is refused for want of one (redemption.md §4). */
export const loyaltyCard: Card = {
  facts: ({ balance }) => ({
    gift: null,
    loyalty_card: { balance: balance ?? 0, held_balance: 0, requested_points: null, reward: null },
  }),
  spent: () => 0,
  spending: "POINTS_REDEMPTION",
  shown: () => ({}),
};
