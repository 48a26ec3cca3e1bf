import { findEntriesByIds } from "../../../books/index.js";
import type { Queries } from "../../../platform/db/database.js";
import { findAutoRewards, has_auto_rewards } from "../../rewards/index.js";
import { findVouchersByIds } from "../../vouchers/index.js";
import type { BeforeTiers, CardEvent } from "../tiers/index.js";
import { findDueCards } from "./auto-redeem.js";
import { redeemAutomatically } from "./redeem.js";

/** Events that always add to a card; what changes a balance either way says its line in the books. */
const adding: ReadonlySet<string> = new Set([
  "publication.succeeded",
  "customer.rewarded.loyalty_points",
  "voucher.loyalty_card.pending_points.activated",
]);
const changing: ReadonlySet<string> = new Set([
  "voucher.loyalty_card.points_adjusted",
  "voucher.loyalty_card.points_transferred",
]);

/**
 * Points that a card gets are spent before its tier is looked at (loyalty.md §8.4). What a rollback gives back is not spent again at
 * once, or nobody could take back what the service redeemed.
 */
export const before_tiers: BeforeTiers = {
  is_told: has_auto_rewards,

  async findDue(tx, project_id, of_cards) {
    // Most projects have none, and this is asked of all that moves points in one with tiers.
    if ((await findAutoRewards(tx, project_id, null)).length === 0) return new Set();
    const growing = await growingOf(tx, project_id, of_cards);
    if (growing.length === 0) return new Set();
    const ids = [...new Set(growing.map(({ card_id }) => card_id))];
    const due = await findDueCards(tx, project_id, await findVouchersByIds(tx, project_id, ids));
    return new Set(growing.flatMap(({ card_id, event }) => (due.has(card_id) ? event.id : [])));
  },

  redeem: (context, { event, card_id }, instant) =>
    redeemAutomatically(context, {
      ...{ project_id: event.project_id, card_id, cause: event.id, request_id: event.group_id, instant },
    }),
};

async function growingOf(tx: Queries, project_id: string, of_cards: readonly CardEvent[]): Promise<CardEvent[]> {
  const transactionOf = ({ event: { data } }: CardEvent) => ("transaction_id" in data ? data.transaction_id : null);
  const asked = of_cards.filter(({ event }) => changing.has(event.type)).flatMap((one) => transactionOf(one) ?? []);
  const entries = asked.length === 0 ? [] : await findEntriesByIds(tx, project_id, asked);
  const added = new Set(entries.flatMap(({ id, amount }) => (amount > 0 ? id : [])));
  return of_cards.filter(
    (one) => adding.has(one.event.type) || (changing.has(one.event.type) && added.has(transactionOf(one) ?? "")),
  );
}
