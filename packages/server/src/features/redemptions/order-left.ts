import type { OrderView } from "../../deciding/index.js";
import { type Order, orderIdentity, orderPeople } from "../orders/index.js";

/** The order as a redemption left it, with what it took off. */
export function leftByRedemption(order: Order): OrderView {
  return {
    ...orderIdentity(order),
    ...amountsOf(order),
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
    discount_amount: unlessZero(order.discount_amount),
    items_discount_amount: unlessZero(order.items_discount_amount),
    items: order.items,
    metadata: order.metadata,
    object: "order",
  };
}

/** The two amounts that a cancelled order still has. */
export function totalsOf({ amount, total_amount }: Order): { amount?: number; total_amount?: number } {
  return { ...(amount === null ? {} : { amount }), ...(total_amount === null ? {} : { total_amount }) };
}

/** As the engine renders them (discounts.md §3): an order without a price has none, and what is 0 is left out. */
function amountsOf(order: Order) {
  const { amount, discount_amount, items_discount_amount, applied_discount_amount, items_applied_discount_amount } =
    order;
  if (amount === null) return {};
  return {
    amount,
    initial_amount: order.initial_amount ?? 0,
    total_amount: order.total_amount ?? undefined,
    discount_amount: unlessZero(discount_amount),
    items_discount_amount: unlessZero(items_discount_amount),
    total_discount_amount: unlessZero(discount_amount + items_discount_amount),
    applied_discount_amount: unlessZero(applied_discount_amount),
    items_applied_discount_amount: unlessZero(items_applied_discount_amount),
    total_applied_discount_amount: unlessZero(applied_discount_amount + items_applied_discount_amount),
  };
}

const unlessZero = (amount: number) => (amount === 0 ? undefined : amount);
