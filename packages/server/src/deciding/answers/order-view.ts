import { type OrderPart, type RunningOrder, renderOrderAmounts } from "@guerdon/engine";
import { itemsOf, type Order } from "../../features/orders/index.js";
import { isoOf } from "../../platform/clock.js";
import type { OrderView } from "./answer.schemas.js";

/**
 * The order after a step; `applied` is what "now" means: one redeemable's part or the whole request's.
 * @param stored the order it is stored as; null for a validation of an inline order and for the children of a stack
 */
export function orderView(order: RunningOrder, applied: OrderPart, stored: Order | null): OrderView {
  return {
    ...(stored ? identityOf(stored) : { customer_id: null, referrer_id: null }),
    ...renderOrderAmounts(order, applied),
    items: itemsOf(order, applied),
    metadata: order.metadata,
    object: "order",
  };
}

function identityOf(order: Order): Partial<OrderView> {
  return {
    id: order.id,
    source_id: order.source_id,
    status: order.status,
    customer_id: order.customer_id,
    referrer_id: order.referrer_id,
    created_at: isoOf(order.created_at),
    updated_at: isoOf(order.updated_at),
    ...(order.customer_id ? { customer: { id: order.customer_id, object: "customer" } } : {}),
  };
}
