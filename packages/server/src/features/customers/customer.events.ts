import type { NewEvent } from "../../events/index.js";
import type { Customer } from "./customer.js";

declare module "../../events/event.js" {
  interface EventData {
    "customer.created": { customer: Customer };
    "customer.updated": { customer: Customer };
    "customer.deleted": { customer: Customer };
    /** By what nobody is told of, as a bulk update (rules.md §18): a fact for who keeps something of customers, and no activity. */
    "customers.changed": Record<never, never>;
  }
}

/** What happened to a customer, with the profile as it was. */
export const customerEvent = (type: `customer.${"created" | "updated" | "deleted"}`, customer: Customer): NewEvent => ({
  type,
  entity_id: customer.id,
  customer_id: customer.id,
  data: { customer },
});

/** Says to those who keep something of the customer that it is to be looked at again, and nothing to anybody else. */
export const changedUntold = (customer_id: string): NewEvent => ({
  type: "customers.changed",
  entity_id: customer_id,
  customer_id,
  data: {},
});
