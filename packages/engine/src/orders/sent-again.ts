import { roundedPart } from "../money/ratio.js";
import { normaliseLine } from "./normalise.js";
import type { OrderLine, OrderLineInput, RunningOrder } from "./order.js";
import { type LinePart, type OrderPart, worthOf } from "./part.js";

/**
 * A line that is sent for one of a stored order (discounts.md §2, ADR 122): what is sent counts, and what redemptions did to
 * the stored one stays as far as the line still has room for it. Of its units the first are the shop's own, as many as the
 * redemptions found; the next are those that they added; what is sent beyond these is the shop's own again.
 */
export function sentAgain(stored: OrderLineInput, sent: OrderLineInput): OrderLineInput {
  const before = normaliseLine(stored, 0);
  const line = normaliseLine(sent, 0);
  const change = before.quantity - before.initial_quantity;
  const kept = between(Math.min(0, change), line.quantity - before.initial_quantity, Math.max(0, change));
  return {
    ...sent,
    discount_amount: before.discount_amount,
    discount_quantity: Math.min(before.discount_quantity, line.quantity),
    initial_quantity: line.quantity - kept,
    initial_amount: initialAmount(before, line, kept),
  };
}

/** Of a line as it was what is stored, since a price that was made of an amount is not the same for each unit. */
function initialAmount(before: OrderLine, line: OrderLine, kept: number): number | undefined {
  if (line.amount === undefined) return undefined;
  if (line.amount === before.amount && line.quantity === before.quantity) return before.initial_amount;
  const worth = Math.sign(kept) * worthOf(line, Math.abs(kept));
  return between(0, line.amount - worth, Number.MAX_SAFE_INTEGER);
}

/**
 * What an order that was changed since still holds of a part (redemption.md §11, ADR 122): the units that it added, or
 * replaced away, as far as they are still between what the lines began with and what they have now.
 */
export function stillHeld(order: RunningOrder, part: OrderPart): OrderPart {
  return { ...part, lines: part.lines.map((done) => heldOf(order.lines[done.index], done)) };
}

function heldOf(line: OrderLine | undefined, done: LinePart): LinePart {
  if (line === undefined) return done;
  const change = line.quantity - line.initial_quantity;
  const quantity = between(Math.min(0, done.quantity), change, Math.max(0, done.quantity));
  const worth = (line.amount ?? 0) - (line.initial_amount ?? 0);
  // Of all the units that are there their share, so that the last one to leave takes what is left.
  const share = change === 0 ? 0 : roundedPart(Math.abs(worth), Math.abs(quantity), Math.abs(change));
  return { ...done, quantity, quantity_amount: Math.sign(worth) * share };
}

const between = (least: number, value: number, most: number) => Math.min(Math.max(least, value), most);
