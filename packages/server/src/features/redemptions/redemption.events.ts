import type { RedemptionRow } from "../../books/index.js";
import type { NewEvent } from "../../events/index.js";

interface Redeemed {
  redemption_id: string;
  campaign_id: string | null;
}

interface RolledBack extends Redeemed {
  rollback_id: string;
}

declare module "../../events/event.js" {
  interface EventData {
    "redemption.succeeded": Redeemed;
    "redemption.failed": Redeemed;
    "redemption.rollback.succeeded": RolledBack;
    "redemption.rollback.failed": RolledBack;
  }
}

/** What became of a redemption; everything else of it stands in its row, which stays as it is. */
export const redemptionEvent = (
  { id, campaign_id, customer_id }: RedemptionRow,
  type: "redemption.succeeded" | "redemption.failed",
): NewEvent => ({ type, entity_id: id, customer_id, data: { redemption_id: id, campaign_id } });

export const rollbackEvent = (
  { id, redemption_id, campaign_id, customer_id }: RedemptionRow,
  type: "redemption.rollback.succeeded" | "redemption.rollback.failed",
): NewEvent => ({
  type,
  entity_id: id,
  customer_id,
  data: { rollback_id: id, redemption_id: redemption_id ?? id, campaign_id },
});
