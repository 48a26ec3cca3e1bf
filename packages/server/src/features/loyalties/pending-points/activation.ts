import { expiresOn } from "@guerdon/engine";
import { addToCard, balanceDetails, books, entryOf, type NewEntry, type PendingPoints } from "../../../books/index.js";
import { isoOf } from "../../../platform/clock.js";
import type { Change } from "../../../recording/index.js";
import type { Project } from "../../projects/index.js";
import type { ExpirationRules, LastDayOf, VoucherRow } from "../../vouchers/index.js";
import { activatedEvent, type OperationType } from "./pending-points.events.js";
import { toPendingPointsBody } from "./pending-points.schemas.js";

interface Activating {
  /** The project's: points expire as if they had been earned on it (loyalty.md §5). */
  day: string;
  lastDay: LastDayOf;
  operation_type: OperationType;
}

/**
 * Makes pending points those of their card, under its key. Answers the card after it, with the entry in its books; null where
 * the card cannot hold more.
 */
export function activate(
  { cause, add, tell }: Change,
  { currency }: Pick<Project, "currency">,
  card: VoucherRow,
  pending: PendingPoints,
  { day, lastDay, operation_type }: Activating,
): { card: VoucherRow; entry: NewEntry } | null {
  const { points, expiration_rules, campaign_id } = pending;
  if (!Number.isSafeInteger((card.added ?? 0) + points)) return null;
  const expires_on = expiration_rules ? expiresOn(expiration_rules as ExpirationRules, day) : lastDay(campaign_id, day);
  const { card: after, lots } = addToCard(card, points, expires_on);
  const activated: PendingPoints = { ...pending, status: "ACTIVATED", updated_at: cause.instant };
  const entry = entryOf(
    { ...after, campaign_id },
    {
      ...{ type: "PENDING_POINTS_ACTIVATION", amount: points, currency, order_id: pending.order_id, lots },
      details: {
        balance: balanceDetails(after, "loyalty_card", points, operation_type),
        ...pending.details,
        event: shortEvent(pending),
        pending_points: toPendingPointsBody(activated),
      },
      ...{ event_id: pending.event_id, earning_rule_id: pending.earning_rule_id },
      created_at: isoOf(cause.instant),
    },
  );
  add(books.pending_moved, activated);
  add(books.entries, entry);
  tell(activatedEvent(activated, entry.id));
  return { card: { ...after, pending: (card.pending ?? 0) - points }, entry };
}

/** Of the event, as every line of the books names it. */
function shortEvent({ details }: PendingPoints) {
  const { id, type } = details.event as { id: string; type: string };
  return { id, type };
}
