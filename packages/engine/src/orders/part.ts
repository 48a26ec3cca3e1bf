import { roundedPart } from "../money/ratio.js";
import { normaliseLine, withoutExcess } from "./normalise.js";
import type { OrderLine, OrderLineInput, RunningOrder } from "./order.js";

/** Units of one line exchanged for units of another (discounts.md §6.4). Indexes count lines from 0. */
export interface Replacement {
  readonly source_index: number;
  readonly source_applied_quantity: number;
  readonly source_applied_quantity_amount: number;
  readonly target_index: number;
  readonly target_applied_quantity: number;
  readonly target_applied_quantity_amount: number;
  readonly target_applied_discount_amount: number;
}

/** What was done to one line. Money in minor units. */
export interface LinePart {
  readonly index: number;
  readonly discount_amount: number;
  /** Units that the discount was given for; what unit budgets count (discounts.md §5). */
  readonly discounted_units: number;
  /** Units given free by UNIT effects. */
  readonly discount_quantity: number;
  /** Units added, or replaced away when negative. */
  readonly quantity: number;
  /** What those units are worth; raises or lowers the order's amount. */
  readonly quantity_amount: number;
  /** The line itself, without units, when this part puts it into the order. */
  readonly created?: OrderLineInput;
  readonly replacements?: readonly Replacement[];
}

/**
 * What one redeemable, or a whole request, did to an order: the only way a discount changes it, and
 * all that a rollback needs to undo it. `lines` is sorted by index and holds touched lines only.
 */
export interface OrderPart {
  /** Order-level discount, minor units. */
  readonly discount_amount: number;
  readonly lines: readonly LinePart[];
}

export const NOTHING: OrderPart = { discount_amount: 0, lines: [] };

export const itemsDiscount = (order: Pick<OrderPart, "lines"> | RunningOrder) => {
  let sum = 0;
  for (const line of order.lines) sum += line.discount_amount;
  return sum;
};

/** What is left to pay: the order's `total_amount`, minor units; 0 for an order without any price. */
export const totalAmount = (order: RunningOrder) => (order.amount ?? 0) - order.discount_amount - itemsDiscount(order);

/** What is left of a line: its `subtotal_amount`, minor units. */
export const subtotal = (line: OrderLine) => (line.amount ?? 0) - line.discount_amount;

/** Minor units that some units of a line cost. */
export function worthOf(line: OrderLine, units: number): number {
  if (line.price !== undefined) return line.price * units;
  return line.amount === undefined || line.quantity === 0 ? 0 : roundedPart(line.amount, units, line.quantity);
}

/** Order-level and item-level discount together, minor units. */
export const totalDiscount = (part: OrderPart) => part.discount_amount + itemsDiscount(part);

/** True when nothing was taken off and no unit was given or exchanged. */
export const isNothing = ({ discount_amount, lines }: OrderPart) =>
  discount_amount === 0 &&
  lines.every((line) => line.discount_amount === 0 && line.discount_quantity === 0 && line.quantity === 0);

/** The order after a part. Lines the part does not touch are shared with the order before. */
export function applyPart(order: RunningOrder, part: OrderPart): RunningOrder {
  if (part.lines.length === 0) return { ...order, discount_amount: order.discount_amount + part.discount_amount };
  const lines = [...order.lines];
  let added = 0;
  for (const done of part.lines) {
    const line = lines[done.index] ?? normaliseLine({ ...done.created, quantity: 0 }, done.index);
    lines[done.index] = changed(line, done, 1);
    added += done.quantity_amount;
  }
  return {
    ...order,
    lines,
    amount: order.amount === undefined && added === 0 ? undefined : (order.amount ?? 0) + added,
    discount_amount: order.discount_amount + part.discount_amount,
  };
}

/**
 * The order without a part (redemption.md §11, `WITH_ORDER`). A line that came with no units of its
 * own leaves with the last one it was given. The order may have been edited since, so nothing is taken below zero.
 */
export function removePart(order: RunningOrder, part: OrderPart): RunningOrder {
  const undo = new Map(part.lines.map((line) => [line.index, line]));
  let removed = 0;
  const lines = order.lines.flatMap((line) => {
    const done = undo.get(line.index);
    if (done === undefined) return [line];
    removed += done.quantity_amount;
    const left = changed(line, done, -1);
    return left.quantity === 0 && left.initial_quantity === 0 ? [] : [left];
  });
  return withoutExcess({
    ...order,
    lines,
    amount: order.amount === undefined ? undefined : Math.max(0, order.amount - removed),
    discount_amount: Math.max(0, order.discount_amount - part.discount_amount),
  });
}

function changed(line: OrderLine, done: LinePart, sign: 1 | -1): OrderLine {
  const amount = line.amount === undefined ? undefined : Math.max(0, line.amount + sign * done.quantity_amount);
  const discount_amount = Math.min(amount ?? 0, Math.max(0, line.discount_amount + sign * done.discount_amount));
  // Written out, since spreading a line of this size took a fifth of a large decision.
  return {
    index: line.index,
    input: line.input,
    product_id: line.product_id,
    product_source_id: line.product_source_id,
    sku_id: line.sku_id,
    sku_source_id: line.sku_source_id,
    product_metadata: line.product_metadata,
    metadata: line.metadata,
    quantity: Math.max(0, line.quantity + sign * done.quantity),
    price: line.price,
    amount,
    initial_quantity: line.initial_quantity,
    initial_amount: line.initial_amount,
    discount_amount,
    discount_quantity: Math.max(0, line.discount_quantity + sign * done.discount_quantity),
  };
}

/** A part of one line in which nothing happens but what is said. */
export const linePart = (index: number, said: Partial<LinePart>): LinePart => ({
  index,
  discount_amount: 0,
  discounted_units: 0,
  discount_quantity: 0,
  quantity: 0,
  quantity_amount: 0,
  ...said,
});

/** Two parts as one, for the totals of a request. */
export function addParts(a: OrderPart, b: OrderPart): OrderPart {
  if (b.lines.length === 0) return { ...a, discount_amount: a.discount_amount + b.discount_amount };
  const lines = new Map(a.lines.map((line) => [line.index, line]));
  for (const line of b.lines) {
    const before = lines.get(line.index);
    lines.set(line.index, before === undefined ? line : addLineParts(before, line));
  }
  return {
    discount_amount: a.discount_amount + b.discount_amount,
    lines: [...lines.values()].sort((one, other) => one.index - other.index),
  };
}

function addLineParts(a: LinePart, b: LinePart): LinePart {
  const created = a.created ?? b.created;
  const replacements = [...(a.replacements ?? []), ...(b.replacements ?? [])];
  return {
    index: a.index,
    discount_amount: a.discount_amount + b.discount_amount,
    discounted_units: a.discounted_units + b.discounted_units,
    discount_quantity: a.discount_quantity + b.discount_quantity,
    quantity: a.quantity + b.quantity,
    quantity_amount: a.quantity_amount + b.quantity_amount,
    ...(created === undefined ? {} : { created }),
    ...(replacements.length === 0 ? {} : { replacements }),
  };
}
