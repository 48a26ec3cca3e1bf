import type { StoredEvent } from "../../events/index.js";
import type { LoggedValidation, Verdict } from "./validation-log.js";

interface Asked {
  validation: { id: string; valid: boolean; redeemables: readonly Verdict[] };
}

declare module "../../events/event.js" {
  interface EventData {
    // Nobody appends them: the log is read as what customers have done (ADR 52).
    "customer.validation.succeeded": Asked;
    "customer.validation.failed": Asked;
  }
}

/** How validations are called among events: as the customer's own. */
export const event_prefix = "evcus_";
export const id_prefix = "valid_";

export const validation_types = ["customer.validation.succeeded", "customer.validation.failed"] as const;

/** A validation as an event that the customer hears of. */
export const asEvent = ({
  project_id,
  id,
  customer_id,
  valid,
  redeemables,
  ...rest
}: LoggedValidation): StoredEvent => ({
  ...{ project_id, id: `${event_prefix}${id.slice(id_prefix.length)}`, entity_id: customer_id ?? "", customer_id },
  ...{ group_id: rest.group_id, event_source: rest.event_source, created_at: rest.created_at },
  type: valid ? "customer.validation.succeeded" : "customer.validation.failed",
  data: { validation: { id, valid, redeemables } },
});
