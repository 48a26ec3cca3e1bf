import type { OrderView } from "../../deciding/index.js";
import { type Order, orderAmounts, orderIdentity, orderPeople } from "../orders/index.js";

/** The order as a redemption left it, with what it took off. */
export const leftByRedemption = (order: Order): OrderView => left(order, orderAmounts(order));

/** The order as a rollback left it: nothing was taken off by it, and what others took off is told as ever (redemption.md §11). */
export function leftByRollback(order: Order): OrderView {
  const is_discounted = order.discount_amount + order.items_discount_amount > 0;
  return left(order, is_discounted ? orderAmounts({ ...order, ...nothing_applied }) : totalsOf(order));
}

const nothing_applied = { applied_discount_amount: 0, items_applied_discount_amount: 0 };

const left = (order: Order, amounts: Partial<OrderView>): OrderView => ({
  ...orderIdentity(order),
  ...amounts,
  items: order.items,
  metadata: order.metadata,
  ...orderPeople(order),
  object: "order",
});

/** The two amounts that a cancelled order still has. */
export function totalsOf({ amount, total_amount }: Order): { amount?: number; total_amount?: number } {
  return { ...(amount === null ? {} : { amount }), ...(total_amount === null ? {} : { total_amount }) };
}
