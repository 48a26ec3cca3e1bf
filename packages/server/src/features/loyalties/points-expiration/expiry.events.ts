import type { ExpiredLot } from "../../../books/index.js";
import type { NewEvent } from "../../../events/index.js";
import type { Moved } from "../../transactions/index.js";

declare module "../../../events/event.js" {
  interface EventData {
    /** Points of a card have expired, of one lot or several. */
    "voucher.loyalty_card.points_expired": Moved & { lots: readonly ExpiredLot[] };
  }
}

export const expiredEvent = (moved: Moved, lots: readonly ExpiredLot[], customer_id: string | null): NewEvent => ({
  type: "voucher.loyalty_card.points_expired",
  entity_id: moved.voucher_id,
  customer_id,
  data: { ...moved, lots },
});
