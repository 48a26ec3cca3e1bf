import type { NewEvent } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { CustomEventData } from "../../custom-events/index.js";
import type { Referral } from "./referral.js";

declare module "../../../events/event.js" {
  interface EventData {
    "customer.referred": Referral & {
      /** How many the referrer had referred in the campaign with this one. */
      referred: number;
      /**
       * How many that made, with this one, of each tier that asks for a segment and found the customer in it. Absent where no tier asks,
       * as of all that happened before tiers could.
       */
      referred_by_tier?: Readonly<Record<string, number>>;
      /** What the customer did, where that is what counts. */
      custom_event: (CustomEventData & { created_at: Instant }) | null;
    };
  }
}

/** A customer came by somebody's code. */
export const referredEvent = (data: Extract<NewEvent, { type: "customer.referred" }>["data"]): NewEvent => ({
  type: "customer.referred",
  entity_id: data.referee_id,
  customer_id: data.referee_id,
  data,
});
