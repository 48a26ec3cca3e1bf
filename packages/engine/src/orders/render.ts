import type { OrderLine, RunningOrder } from "./order.js";
import { itemsDiscount, type LinePart, type OrderPart, type Replacement, subtotal, totalAmount } from "./part.js";

/** Money fields of an order, minor units (discounts.md §3). Fields that would be 0 are absent, as the API wants it. */
export interface OrderAmounts {
  amount?: number;
  initial_amount?: number;
  discount_amount?: number;
  items_discount_amount?: number;
  total_discount_amount?: number;
  total_amount?: number;
  applied_discount_amount?: number;
  items_applied_discount_amount?: number;
  total_applied_discount_amount?: number;
}

/** Money and quantity fields of a line (discounts.md §3). A line without any price carries no money. */
export interface LineAmounts {
  quantity: number;
  initial_quantity: number;
  price?: number;
  amount?: number;
  initial_amount?: number;
  discount_amount?: number;
  applied_discount_amount?: number;
  subtotal_amount?: number;
  discount_quantity?: number;
  applied_discount_quantity?: number;
  applied_quantity?: number;
  applied_quantity_amount?: number;
  /** Which of its units were exchanged for which others (discounts.md §6.4). */
  application_details?: readonly Replacement[];
}

/**
 * The order's fields after redeemables; `applied` is what "now" means: one redeemable's part, or the
 * whole request's. An order without any price has none of them.
 */
export function renderOrderAmounts(order: RunningOrder, applied: OrderPart): OrderAmounts {
  if (order.amount === undefined) return {};
  const { discount_amount } = order;
  const items_discount_amount = itemsDiscount(order);
  const items_applied = itemsDiscount(applied);
  const shown: OrderAmounts = { amount: order.amount, initial_amount: order.initial_amount ?? 0 };
  if (discount_amount) shown.discount_amount = discount_amount;
  if (items_discount_amount) shown.items_discount_amount = items_discount_amount;
  if (discount_amount + items_discount_amount) shown.total_discount_amount = discount_amount + items_discount_amount;
  shown.total_amount = totalAmount(order);
  if (applied.discount_amount) shown.applied_discount_amount = applied.discount_amount;
  if (items_applied) shown.items_applied_discount_amount = items_applied;
  if (applied.discount_amount + items_applied)
    shown.total_applied_discount_amount = applied.discount_amount + items_applied;
  return shown;
}

/** One line's fields, laid over what is already shown of it; `applied` is absent where nothing touched the line. */
export function renderLineAmounts<Known extends object>(
  line: OrderLine,
  applied: LinePart | undefined,
  known: Known,
): Known & LineAmounts {
  // Field by field: every answer runs through here for each of its lines, and spreading took ten times as long.
  const shown = known as Known & LineAmounts;
  shown.quantity = line.quantity;
  shown.initial_quantity = line.initial_quantity;
  if (line.discount_quantity) shown.discount_quantity = line.discount_quantity;
  if (applied?.discount_quantity) shown.applied_discount_quantity = applied.discount_quantity;
  if (applied?.quantity) shown.applied_quantity = applied.quantity;
  if (applied?.replacements) shown.application_details = applied.replacements;
  if (line.amount === undefined) return shown;
  if (line.price !== undefined) shown.price = line.price;
  shown.amount = line.amount;
  shown.initial_amount = line.initial_amount ?? 0;
  if (line.discount_amount) shown.discount_amount = line.discount_amount;
  if (applied?.discount_amount) shown.applied_discount_amount = applied.discount_amount;
  shown.subtotal_amount = subtotal(line);
  if (applied?.quantity_amount) shown.applied_quantity_amount = applied.quantity_amount;
  return shown;
}

/** The order's fields after a rollback (redemption.md §11): with no discount left, only the two amounts remain. */
export function renderRolledBackAmounts(order: RunningOrder): OrderAmounts {
  if (order.amount === undefined) return {};
  if (order.discount_amount + itemsDiscount(order) > 0)
    return renderOrderAmounts(order, { discount_amount: 0, lines: [] });
  return { amount: order.amount, total_amount: order.amount };
}
