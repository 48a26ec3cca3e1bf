import { addPoints, type Day, type Lot, returnPoints, takePoints } from "@guerdon/engine";
import { newId } from "../../platform/ids.js";
import type { CardSums } from "../cards.store.js";
import type { NewEntry } from "../ledger.store.js";

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

/** What the API shows as `total`: what came to a card, less what was taken by hand or expired; redemptions leave it. */
const totalOf = ({ added, subtracted, expired }: Pick<Card, "added" | "subtracted" | "expired">): number =>
  (added ?? 0) - (subtracted ?? 0) - (expired ?? 0);

/** What a line of the books shows of its card under `details.balance`. @param amount what came or went */
export const balanceDetails = (
  card: Pick<Card, "balance" | "added" | "subtracted" | "expired"> & { id: string },
  type: "loyalty_card" | "gift_voucher",
  amount: number,
  operation_type: "AUTOMATIC" | "MANUAL",
) => ({
  type,
  [type === "loyalty_card" ? "points" : "amount"]: amount,
  total: totalOf(card),
  balance: card.balance ?? 0,
  object: "balance",
  operation_type,
  related_object: { type: "voucher", id: card.id },
});

/** What a line of the books must be told; of the rest, what is not told is null. */
type Told = Pick<NewEntry, "type" | "amount" | "currency" | "created_at"> & Partial<NewEntry>;

/** The line in the books of a card, which is as it stands after what the line tells of. */
export const entryOf = (
  card: Pick<Card, "balance" | "added" | "subtracted" | "expired"> & { id: string; campaign_id: string | null },
  told: Told,
): NewEntry => ({
  id: told.id ?? newId("vtx"),
  voucher_id: card.id,
  campaign_id: card.campaign_id,
  type: told.type,
  amount: told.amount,
  balance: card.balance ?? 0,
  total: totalOf(card),
  currency: told.currency,
  redemption_id: told.redemption_id ?? null,
  rollback_id: told.rollback_id ?? null,
  order_id: told.order_id ?? null,
  source_id: told.source_id ?? null,
  source: told.source ?? null,
  reason: told.reason ?? null,
  details: told.details ?? null,
  event_id: told.event_id ?? null,
  earning_rule_id: told.earning_rule_id ?? null,
  lots: told.lots ?? null,
  related_transaction_id: told.related_transaction_id ?? null,
  created_at: told.created_at,
});

const holdingOf = ({ balance, lots }: Card) => ({ balance: balance ?? 0, lots: lots ?? [] });

function moved<Of extends Card>(
  card: Of,
  sums: Partial<Card>,
  { after, moves }: { after: { balance: number; lots: readonly Lot[] }; moves: readonly Lot[] },
): CardMoved<Of> {
  const lots = card.lots === null ? null : after.lots;
  return { card: { ...card, ...sums, balance: after.balance, lots }, lots: moves.length > 0 ? moves : null };
}
