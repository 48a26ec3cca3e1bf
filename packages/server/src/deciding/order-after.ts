import type { OrderPart, RunningOrder } from "@guerdon/engine";
import type { NewEvent } from "../events/index.js";
import type { Customer } from "../features/customers/index.js";
import { itemsOf, moneyOf, type Order, orderEvents } from "../features/orders/index.js";
import { newId } from "../platform/ids.js";
import type { DecidingRequest } from "./request.js";
import type { SharedFacts } from "./shared-facts.js";

/** An order as a redemption stores it, and what storing it tells. */
export interface OrderChange {
  order: Order;
  events: NewEvent[];
}

/** The order after a redemption: paid, unless the request says otherwise (redemption.md §8). */
export function orderAfter(
  shared: SharedFacts,
  { call, order: sent }: DecidingRequest,
  running: RunningOrder,
  applied: OrderPart,
  customer: Customer | null,
): OrderChange {
  const known = shared.order(sent);
  const order: Order = {
    id: known?.id ?? newId("ord"),
    source_id: known?.source_id ?? sent?.source_id ?? null,
    status: sent?.status ?? "PAID",
    customer_id: customer?.id ?? known?.customer_id ?? null,
    referrer_id: known?.referrer_id ?? null,
    currency: shared.catalogue.project.currency,
    ...moneyOf(running, applied),
    items: itemsOf(running, applied),
    metadata: { ...running.metadata },
    created_at: known?.created_at ?? call.instant,
    updated_at: known ? call.instant : null,
  };
  // The order stands in the redemption that the event's request made, so the event need not repeat it.
  return { order, events: orderEvents(known, order, { order_id: order.id }) };
}
