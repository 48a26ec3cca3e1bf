import { daysAfter } from "@guerdon/engine";
import {
  books,
  type ExpiredLot,
  entryOf,
  expireLots,
  findCardsOver,
  findStandings,
  firstLotDay,
  type NewEntry,
  type Standing,
} from "../../../books/index.js";
import { isoOf } from "../../../platform/clock.js";
import { originOf, the_service } from "../../../terms/index.js";
import { findVouchersByIds } from "../../vouchers/index.js";
import type { Night, NightSlice, NightStep } from "../nights/index.js";
import { expiredEvent } from "./expiry.events.js";

/** Points end with their last day: one line in the books of each card, for all of its lots (loyalty.md §6.5). */
const expiry: NightStep = {
  name: "points that expire",
  async firstNight(db, project_id) {
    const last_day = await firstLotDay(db, project_id);
    return last_day && daysAfter(last_day, 1);
  },
  findCards: (tx, { project, day }, after_id, cards_max) => findCardsOver(tx, project.id, day, after_id, cards_max),
  run: expire,
};

async function expire({ change, night, card_ids }: NightSlice): Promise<void> {
  const { tx, cause } = change;
  const project_id = night.project.id;
  const [lots, standings, vouchers] = await Promise.all([
    expireLots(tx, project_id, card_ids, night.day, night.midnight),
    findStandings(tx, project_id, card_ids),
    findVouchersByIds(tx, project_id, card_ids, { bin_too: true }),
  ]);
  const cards = new Map(vouchers.map((voucher) => [voucher.id, voucher]));
  for (const standing of standings) {
    const { voucher_id } = standing;
    // What was spent before leaves nothing to say.
    const own = lots.filter((lot) => lot.voucher_id === voucher_id && lot.points_expired > 0);
    if (own.length === 0) continue;
    const entry = expiryEntry(night, standing, own, isoOf(cause.instant));
    change.add(books.entries, entry);
    const card = cards.get(voucher_id);
    // The books of a card that was deleted are closed all the same, and nobody hears of it.
    if (!card) continue;
    const moved = { transaction_id: entry.id, voucher_id, campaign_id: entry.campaign_id };
    change.tell(expiredEvent(moved, own, card.holder_id));
  }
}

function expiryEntry(
  { project }: Night,
  standing: Standing,
  lots: readonly ExpiredLot[],
  created_at: string,
): NewEntry {
  const { voucher_id: id, added, subtracted } = standing;
  const points = lots.reduce((sum, { points_expired }) => sum + points_expired, 0);
  const [balance, expired] = [(standing.balance ?? 0) - points, (standing.expired ?? 0) + points];
  return entryOf(
    { id, campaign_id: lots[0]?.campaign_id ?? null, balance, added, subtracted, expired },
    {
      ...{ type: "POINTS_EXPIRATION", amount: -points, currency: project.currency, source: originOf(the_service) },
      lots: lots.map(({ expires_on, points_expired }) => ({ expires_on, points: -points_expired })),
      created_at,
    },
  );
}

export const night_steps: readonly NightStep[] = [expiry];
