import type { Lot } from "@guerdon/engine";
import { balanceDetails, books, entryOf, type LedgerEntry } from "../../books/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Change } from "../../recording/index.js";
import { originOf, the_service } from "../../terms/index.js";
import { movedEvent } from "../transactions/index.js";

/** A card that a reward adds to, or is taken from again, as it is after that. */
interface CardAfter {
  id: string;
  holder_id: string | null;
  type: string;
  campaign_id: string | null;
  balance: number | null;
  added: number | null;
  subtracted: number | null;
  expired: number | null;
}

/** Because of what. */
interface Because {
  reward: { id: string; name: string };
  currency: string;
  redemption_id: string;
  rollback_id: string | null;
}

/**
 * Books credits or points that a reward gives a card, or that are taken from it again, and tells of it.
 * @param lots what that does to points that expire
 */
export function moveForReward(
  change: Change,
  card: CardAfter,
  amount: number,
  lots: readonly Lot[] | null,
  because: Because,
): void {
  const entry = rewardEntry(card, amount, because, lots, change.cause.instant);
  change.add(books.entries, entry);
  const type = card.type === "LOYALTY_CARD" ? "voucher.loyalty_card.points_adjusted" : "voucher.gift.balance_added";
  change.tell(movedEvent(type, entry, card.holder_id));
}

/** The service does it, nobody by hand. */
function rewardEntry(
  card: CardAfter,
  amount: number,
  { reward, ...because }: Because,
  lots: readonly Lot[] | null,
  instant: Instant,
): LedgerEntry {
  const holds_points = card.type === "LOYALTY_CARD";
  const details = {
    balance: balanceDetails(card, holds_points ? "loyalty_card" : "gift_voucher", amount, "AUTOMATIC"),
    reward,
  };
  return entryOf(card, {
    type: `${holds_points ? "POINTS" : "CREDITS"}_${amount > 0 ? "ADDITION" : "REMOVAL"}`,
    ...{ amount, ...because, source: originOf(the_service), details, lots },
    created_at: isoOf(instant),
  });
}
