import type { NewEvent } from "../../../events/index.js";
import type { VoucherHolder } from "../../publications/index.js";

declare module "../../../events/event.js" {
  interface EventData {
    "customer.holder.assignment.deleted": { holder: VoucherHolder };
  }
}

/** A customer came by a referral code, or no longer did. */
export const holderEvent = (verb: "created" | "deleted", holder: VoucherHolder): NewEvent => ({
  type: `customer.holder.assignment.${verb}`,
  entity_id: holder.customer_id,
  customer_id: holder.customer_id,
  data: { holder },
});
