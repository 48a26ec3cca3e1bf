import type { Day } from "../calendar/day.js";

/** Points of a card that expire on the same day. Points without a date are in no lot: they are the rest of the balance. */
export interface Lot {
  /** The last day on which they can be spent. */
  expires_on: Day;
  points: number;
}

/** What a card holds. */
export interface Holding {
  balance: number;
  /** By day; none is empty, and together they are no more than the balance. */
  lots: readonly Lot[];
}

/** A holding after points came or went, and what that did to its lots: negative where they were taken. */
export interface Moved<Of extends Holding> {
  after: Of;
  moves: readonly Lot[];
}

/**
 * Takes points from lots, the soonest first; what the lots do not hold is taken from what has no date (loyalty.md §6.4).
 * @param lots by day
 */
export function takeFromLots(lots: readonly Lot[], points: number): { taken: readonly Lot[]; left: readonly Lot[] } {
  const taken: Lot[] = [];
  const left: Lot[] = [];
  let wanted = points;
  for (const lot of lots) {
    const takes = Math.min(wanted, lot.points);
    wanted -= takes;
    if (takes > 0) taken.push({ ...lot, points: takes });
    if (takes < lot.points) left.push({ ...lot, points: lot.points - takes });
  }
  return { taken, left };
}

/** What can be spent on a day: what expired before it is spent no more, even while the night has not taken it away yet. */
export const spendablePoints = ({ balance, lots }: Holding, today: Day): number =>
  lots.reduce((sum, { expires_on, points }) => (expires_on < today ? sum - points : sum), balance);

/** A card after points were spent, removed or handed on; no more than its balance. What is over for good goes last. */
export function takePoints<Of extends Holding>(card: Of, points: number, today: Day): Moved<Of> {
  const over = card.lots.filter(({ expires_on }) => expires_on < today);
  const live = card.lots.filter(({ expires_on }) => expires_on >= today);
  const spendable = spendablePoints(card, today);
  const of_live = takeFromLots(live, Math.min(points, spendable));
  const of_over = takeFromLots(over, Math.max(0, points - spendable));
  const moves = [...of_over.taken, ...of_live.taken].map((lot) => ({ ...lot, points: -lot.points }));
  return { after: { ...card, balance: card.balance - points, lots: [...of_over.left, ...of_live.left] }, moves };
}

/** A card with points added to it, to the lots of their days; those without a day are in none. */
export function addPoints<Of extends Holding>(
  card: Of,
  added: readonly { expires_on: Day | null; points: number }[],
): Moved<Of> {
  const dated = added.flatMap(({ expires_on, points }) => (expires_on === null ? [] : { expires_on, points }));
  const balance = added.reduce((sum, { points }) => sum + points, card.balance);
  return { after: { ...card, balance, lots: together([...card.lots, ...dated]) }, moves: together(dated) };
}

/** One lot a day, in their order. */
function together(lots: readonly Lot[]): Lot[] {
  const by_day = new Map<Day, number>();
  for (const { expires_on, points } of lots) by_day.set(expires_on, points + (by_day.get(expires_on) ?? 0));
  return [...by_day].map(([expires_on, points]) => ({ expires_on, points })).sort(byDay);
}

const byDay = (a: Lot, b: Lot) => (a.expires_on < b.expires_on ? -1 : 1);

/**
 * Points that were spent and come back: to the lots that they were taken from, or, where such a lot is over by today, to
 * the lot of points that come today (loyalty.md §6.4).
 *
 * @param taken as {@link Moved} says it, or nothing where all of it had no date
 * @param comes_to the last day of points that come today; null: they do not expire
 */
export function returnPoints<Of extends Holding>(
  card: Of,
  points: number,
  taken: readonly Lot[],
  { today, comes_to }: { today: Day; comes_to: Day | null },
): Moved<Of> {
  const dated = taken.map((lot) => ({
    expires_on: lot.expires_on < today ? comes_to : lot.expires_on,
    points: Math.abs(lot.points),
  }));
  const undated = points - dated.reduce((sum, lot) => sum + lot.points, 0);
  return addPoints(card, [...dated, { expires_on: null, points: undated }]);
}

/** Which points expire next, and how many; without a day those that do not expire (loyalty.md §2.2). */
export function nextExpiration({ balance, lots }: Holding): { expires_on: Day | null; points: number } {
  return lots[0] ?? { expires_on: null, points: balance };
}
