import { type OrderPart, type RunningOrder, renderOrderAmounts } from "@guerdon/engine";
import { itemsOf, type Order, orderIdentity, orderPeople } from "../../features/orders/index.js";
import type { OrderView } from "./answer.schemas.js";

/**
 * The order after a step; `applied` is what "now" means: one redeemable's part or the whole request's.
 * @param stored the order it is stored as; null for a validation of an inline order and for the children of a stack
 * @param referrer_id who referred to it, where the order that is stored names nobody
 */
export function orderView(
  order: RunningOrder,
  applied: OrderPart,
  stored: Order | null,
  referrer_id: string | null = null,
): OrderView {
  const about: Partial<OrderView> = stored ? identityOf(stored) : { customer_id: null, referrer_id: null };
  if (referrer_id !== null && !stored?.referrer_id) Object.assign(about, referredBy(referrer_id));
  // Each answer holds several: spreading took 4 µs a view, this takes 0.3.
  return Object.assign(about, renderOrderAmounts(order, applied), {
    items: itemsOf(order, applied),
    metadata: order.metadata,
    object: "order" as const,
  });
}

const referredBy = (id: string) => ({ referrer_id: id, referrer: { id, object: "customer" as const } });

const identityOf = (order: Order): Partial<OrderView> => ({
  ...orderIdentity(order),
  ...orderPeople(order),
});
