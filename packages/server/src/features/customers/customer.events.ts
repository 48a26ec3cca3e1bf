import type { NewEvent } from "../../events/index.js";
import type { Customer } from "./customer.js";

declare module "../../events/event.js" {
  interface EventData {
    "customer.created": { customer: Customer };
    "customer.updated": { customer: Customer };
    "customer.deleted": { customer: Customer };
  }
}

/** What happened to a customer, with the profile as it was. */
export const customerEvent = (type: `customer.${"created" | "updated" | "deleted"}`, customer: Customer): NewEvent => ({
  type,
  entity_id: customer.id,
  customer_id: customer.id,
  data: { customer },
});
