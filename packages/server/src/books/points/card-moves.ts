import { addPoints, type Day, type Lot, returnPoints, takePoints } from "@guerdon/engine";
import type { CardSums } from "../cards.store.js";

/** A card as far as its balance goes; null where the voucher holds nothing. */
type Card = { [Sum in Exclude<keyof CardSums, "opening" | "lots">]: number | null } & { lots: readonly Lot[] | null };

/** A card after something came or went, and what the ledger says that this did to its lots: null where it did nothing. */
export interface CardMoved<Of> {
  card: Of;
  lots: readonly Lot[] | null;
}

/** @param expires_on the last day of points that are added; null: they do not expire, nor do credits */
export const addToCard = <Of extends Card>(card: Of, amount: number, expires_on: Day | null): CardMoved<Of> =>
  moved(card, { added: (card.added ?? 0) + amount }, addPoints(holdingOf(card), [{ expires_on, points: amount }]));

/** Takes what the card holds; of points those that expire soonest. */
export const takeFromCard = <Of extends Card>(
  card: Of,
  amount: number,
  because: "redeemed" | "subtracted",
  today: Day,
): CardMoved<Of> =>
  moved(card, { [because]: (card[because] ?? 0) + amount }, takePoints(holdingOf(card), amount, today));

/** Gives back what a redemption took, to the lots that it was taken from where these are not over. */
export const returnToCard = <Of extends Card>(
  card: Of,
  amount: number,
  taken: readonly Lot[],
  when: { today: Day; comes_to: Day | null },
): CardMoved<Of> =>
  moved(card, { redeemed: (card.redeemed ?? 0) - amount }, returnPoints(holdingOf(card), amount, taken, when));

const holdingOf = ({ balance, lots }: Card) => ({ balance: balance ?? 0, lots: lots ?? [] });

function moved<Of extends Card>(
  card: Of,
  sums: Partial<Card>,
  { after, moves }: { after: { balance: number; lots: readonly Lot[] }; moves: readonly Lot[] },
): CardMoved<Of> {
  const lots = card.lots === null ? null : after.lots;
  return { card: { ...card, ...sums, balance: after.balance, lots }, lots: moves.length > 0 ? moves : null };
}
