import type { NewEvent } from "../../events/index.js";
import { changedUntold } from "../customers/index.js";
import type { Order } from "./order.js";
import type { OrderStatus } from "./order.schemas.js";

interface OrderAsItWas {
  order_id: string;
  /** The redemption or rollback that keeps the order as it was. */
  redemption_id: string | null;
  /** Null where a redemption keeps it. */
  order: Order | null;
}

declare module "../../events/event.js" {
  interface EventData {
    "customer.order.created": OrderAsItWas;
    "customer.order.updated": OrderAsItWas;
    "customer.order.paid": OrderAsItWas;
    "customer.order.canceled": OrderAsItWas;
    "customer.order.fulfilled": OrderAsItWas;
  }
}

const status_events = {
  PAID: "customer.order.paid",
  CANCELED: "customer.order.canceled",
  FULFILLED: "customer.order.fulfilled",
} as const satisfies Partial<Record<OrderStatus, string>>;

type OrderEventType = `customer.order.${"created" | "updated" | "paid" | "canceled" | "fulfilled"}`;

const wasPaid = (known: Order | undefined) => (known?.paid_at ?? null) !== null;

/**
 * What storing an order tells (rules.md §19, events-and-webhooks.md §4): that it was created, and what it became at
 * once; later what it became, or that it was updated. That it was paid is told once, whatever becomes of it (loyalty.md §4.7).
 * @param redemption_id the redemption or rollback that keeps the order as it is now, so that the event need not
 */
export function orderEvents(known: Order | undefined, saved: Order, redemption_id: string | null = null): NewEvent[] {
  const is_new = saved.status !== known?.status && !(saved.status === "PAID" && wasPaid(known));
  const became = saved.status === "CREATED" || !is_new ? [] : [status_events[saved.status]];
  const types: OrderEventType[] = known ? became : ["customer.order.created", ...became];
  if (types.length === 0) types.push("customer.order.updated");
  const data = { order_id: saved.id, redemption_id, order: redemption_id === null ? saved : null };
  return [
    ...types.map((type) => ({ type, entity_id: saved.id, customer_id: saved.customer_id, data })),
    ...formerCustomer(known, saved),
  ];
}

/** Whoever had the order before has it no more: nobody is told, and what is kept of them is looked at again. */
export function formerCustomer(known: Order | undefined, saved: Order): NewEvent[] {
  const former = known?.customer_id ?? null;
  return former === null || former === saved.customer_id ? [] : [changedUntold(former)];
}
