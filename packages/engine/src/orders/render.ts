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
  application_details?: readonly Replacement[];
}

/**
 * The order's fields after redeemables; `applied` is what "now" means: one redeemable's part, or the
 * whole request's. An order without any price has none of them.
 */
export function renderOrderAmounts(order: RunningOrder, applied: OrderPart): OrderAmounts {
  if (order.amount === undefined) return {};
  const items_discount_amount = itemsDiscount(order);
  const items_applied_discount_amount = itemsDiscount(applied);
  return {
    amount: order.amount,
    initial_amount: order.initial_amount ?? 0,
    ...unlessZero({
      discount_amount: order.discount_amount,
      items_discount_amount,
      total_discount_amount: order.discount_amount + items_discount_amount,
    }),
    total_amount: totalAmount(order),
    ...unlessZero({
      applied_discount_amount: applied.discount_amount,
      items_applied_discount_amount,
      total_applied_discount_amount: applied.discount_amount + items_applied_discount_amount,
    }),
  };
}

/** One line's fields; `applied` is absent where nothing touched the line. */
export function renderLineAmounts(line: OrderLine, applied?: LinePart): LineAmounts {
  const units = unlessZero({
    discount_quantity: line.discount_quantity,
    applied_discount_quantity: applied?.discount_quantity,
    applied_quantity: applied?.quantity,
  });
  const details = applied?.replacements === undefined ? {} : { application_details: applied.replacements };
  const quantities = { quantity: line.quantity, initial_quantity: line.initial_quantity, ...units, ...details };
  if (line.amount === undefined) return quantities;
  return {
    ...quantities,
    ...(line.price === undefined ? {} : { price: line.price }),
    amount: line.amount,
    initial_amount: line.initial_amount ?? 0,
    ...unlessZero({ discount_amount: line.discount_amount, applied_discount_amount: applied?.discount_amount }),
    subtotal_amount: subtotal(line),
    ...unlessZero({ applied_quantity_amount: applied?.quantity_amount }),
  };
}

/** The order's fields after a rollback (redemption.md §11): with no discount left, only the two amounts remain. */
export function renderRolledBackAmounts(order: RunningOrder): OrderAmounts {
  if (order.amount === undefined) return {};
  if (order.discount_amount + itemsDiscount(order) > 0)
    return renderOrderAmounts(order, { discount_amount: 0, lines: [] });
  return { amount: order.amount, total_amount: order.amount };
}

function unlessZero<Fields extends Record<string, number | undefined>>(
  fields: Fields,
): Partial<Record<keyof Fields, number>> {
  const kept: Partial<Record<keyof Fields, number>> = {};
  for (const name of Object.keys(fields) as (keyof Fields)[]) {
    if (fields[name] !== undefined && fields[name] !== 0) kept[name] = fields[name];
  }
  return kept;
}
