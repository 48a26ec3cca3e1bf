import {
  books,
  findCardsWithDuePending,
  findDuePending,
  firstPendingDay,
  type PendingPoints,
} from "../../../books/index.js";
import { findVouchersByIds, readLastDays } from "../../vouchers/index.js";
import type { NightSlice, NightStep } from "../nights/index.js";
import { activate } from "./activation.js";
import { pendingEvent } from "./pending-points.events.js";

/** Points become their cards' with the day that they were given (loyalty.md §5, §6.6). */
const activation: NightStep = {
  name: "pending points",
  firstNight: firstPendingDay,
  findCards: (tx, { project, day }, after_id, cards_max) =>
    findCardsWithDuePending(tx, project.id, { day, after_id, cards_max }),
  run,
};

/** Entries of one transaction: a card may have any number of orders that activate with one day. */
export const activations_max = 1_000;

async function run({ change, context, night: { project, day }, card_ids, leave }: NightSlice): Promise<void> {
  const [upto, found] = await Promise.all([
    findDuePending(change.tx, project.id, card_ids, { day, count_max: activations_max + 1 }),
    findVouchersByIds(change.tx, project.id, card_ids),
  ]);
  const due = upto.slice(0, activations_max);
  const next = upto[activations_max];
  if (next) leave(next.voucher_id);
  const cards = new Map(found.map((card) => [card.id, card]));
  const lastDay = await readLastDays(
    change.tx,
    project.id,
    due.map(({ campaign_id }) => campaign_id),
  );
  for (const pending of due) {
    const card = cards.get(pending.voucher_id);
    const activated = card && activate(change, project, card, pending, { day, lastDay, operation_type: "AUTOMATIC" });
    if (activated) cards.set(pending.voucher_id, activated.card);
    else {
      const pending_points = lapsed(pending, change.cause.instant);
      change.add(books.pending_moved, pending_points);
      if (card) {
        const [points, total] = [-pending.points, (card.pending ?? 0) - pending.points];
        change.tell(pendingEvent("canceled", { pending_points, points, total, operation_type: "AUTOMATIC" }));
        cards.set(card.id, { ...card, pending: total });
      }
    }
    if (card && !activated)
      context.log.warn({ project_id: project.id, pending_points_id: pending.id }, "a card cannot hold more points");
  }
}

/** Of a card that was deleted, or that can hold no more, nothing becomes of them, and no other night looks at them again. */
const lapsed = (pending: PendingPoints, instant: number): PendingPoints => ({
  ...pending,
  status: "CANCELED",
  updated_at: instant,
});

export const night_steps: readonly NightStep[] = [activation];
