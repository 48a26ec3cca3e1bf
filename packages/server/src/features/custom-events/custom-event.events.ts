import type { NewEvent } from "../../events/index.js";
import type { CustomEventData } from "./custom-event.js";

declare module "../../events/event.js" {
  interface EventData {
    "customer.custom_event": CustomEventData;
  }
}

/** A customer did what the project has a name of its own for. */
export const customEvent = (customer_id: string, data: CustomEventData): NewEvent => ({
  type: "customer.custom_event",
  entity_id: customer_id,
  customer_id,
  data,
});
