import type { OrderView } from "../../deciding/index.js";
import { type Order, orderAmounts, orderIdentity, orderPeople } from "../orders/index.js";

/** The order as a redemption left it, with what it took off. */
export function leftByRedemption(order: Order): OrderView {
  return {
    ...orderIdentity(order),
    ...orderAmounts(order),
    items: order.items,
    metadata: order.metadata,
    ...orderPeople(order),
    object: "order",
  };
}

/** The order as a rollback left it: nothing was taken off by it, and what others took off is told as ever (redemption.md §11). */
export function leftByRollback(order: Order): OrderView {
  const { discount_amount, items_discount_amount } = order;
  return {
    ...orderIdentity(order),
    ...(discount_amount + items_discount_amount > 0 ? orderAmounts({ ...order, ...nothing_applied }) : totalsOf(order)),
    items: order.items,
    metadata: order.metadata,
    ...orderPeople(order),
    object: "order",
  };
}

const nothing_applied = { applied_discount_amount: 0, items_applied_discount_amount: 0 };

/** The two amounts that a cancelled order still has. */
export function totalsOf({ amount, total_amount }: Order): { amount?: number; total_amount?: number } {
  return { ...(amount === null ? {} : { amount }), ...(total_amount === null ? {} : { total_amount }) };
}
