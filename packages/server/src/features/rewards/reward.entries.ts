import type { Day, Lot } from "@guerdon/engine";
import { addToCard, balanceDetails, books, entryOf, type LedgerEntry } from "../../books/index.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Change } from "../../recording/index.js";
import { originOf, the_service } from "../../terms/index.js";
import { movedEvent } from "../transactions/index.js";
import { readLastDays } from "../vouchers/index.js";

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
  /** Null of what a campaign gives without one. */
  reward: { id: string; name: string } | null;
  currency: string;
  /** Null where nothing was redeemed for it. */
  redemption_id: string | null;
  rollback_id: string | null;
}

/**
 * Adds credits, or points that expire by the rules of their program, to a card under its key, or one that was just published.
 * Answers the card as it is then.
 * @param day the project's, on which it is given
 */
export async function addForReward<Of extends CardAfter & Parameters<typeof addToCard>[0]>(
  change: Change,
  card: Of,
  amount: number,
  day: Day,
  because: Because,
): Promise<Of> {
  const programs = card.type === "LOYALTY_CARD" ? [card.campaign_id] : [];
  const lastDayOf = await readLastDays(change.tx, change.cause.project_id, programs);
  const { card: after, lots } = addToCard(card, amount, lastDayOf(card.campaign_id, day));
  moveForReward(change, after, amount, lots, because);
  return after;
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
    ...(reward ? { reward: { id: reward.id, name: reward.name } } : {}),
  };
  return entryOf(card, {
    type: `${holds_points ? "POINTS" : "CREDITS"}_${amount > 0 ? "ADDITION" : "REMOVAL"}`,
    ...{ amount, ...because, source: originOf(the_service), details, lots },
    created_at: isoOf(instant),
  });
}
