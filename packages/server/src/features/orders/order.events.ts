import type { EventType, NewEvent } from "../../events/index.js";
import type { Order } from "./order.js";
import type { OrderStatus } from "./order.schemas.js";

const status_events = {
  PAID: "customer.order.paid",
  CANCELED: "customer.order.canceled",
  FULFILLED: "customer.order.fulfilled",
} satisfies Partial<Record<OrderStatus, EventType>>;

/**
 * What storing an order tells (rules.md §19, events-and-webhooks.md §4): that it was created, and what it became at
 * once; later what it became, or that it was updated.
 * @param redemption_id the redemption or rollback that keeps the order as it is now, so that the event need not
 */
export function orderEvents(known: Order | undefined, saved: Order, redemption_id: string | null = null): NewEvent[] {
  const became = saved.status === "CREATED" || saved.status === known?.status ? [] : [status_events[saved.status]];
  const types: EventType[] = known ? became : ["customer.order.created", ...became];
  if (types.length === 0) types.push("customer.order.updated");
  const data = { order_id: saved.id, redemption_id, order: redemption_id === null ? saved : null };
  return types.map((type) => ({ type, entity_id: saved.id, customer_id: saved.customer_id, data }));
}
