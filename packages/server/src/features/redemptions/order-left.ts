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

/** The order as a rollback left it: nothing was taken off by it. */
export function leftByRollback(order: Order): OrderView {
  return {
    ...orderIdentity(order),
    ...totalsOf(order),
    discount_amount: order.discount_amount || undefined,
    items_discount_amount: order.items_discount_amount || undefined,
    items: order.items,
    metadata: order.metadata,
    object: "order",
  };
}

/** The two amounts that a cancelled order still has. */
export function totalsOf({ amount, total_amount }: Order): { amount?: number; total_amount?: number } {
  return { ...(amount === null ? {} : { amount }), ...(total_amount === null ? {} : { total_amount }) };
}
