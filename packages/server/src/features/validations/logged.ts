import type { Decision, Outcome } from "@guerdon/engine";
import type { DecidingRequest, SharedFacts } from "../../deciding/index.js";
import { refusalBody, skip_messages } from "../../terms/index.js";
import type { LoggedValidation, Verdict } from "../validation-log/index.js";

/** Of a message that an editor has written. */
const message_length_max = 255;

/** What the log keeps of a validation: names and reasons, and nothing that a cart or a customer says. */
export const loggedOf = (
  { call, customer }: DecidingRequest,
  { id, shared, decision }: { id: string; shared: SharedFacts; decision: Decision },
): LoggedValidation => ({
  project_id: call.project_id,
  id,
  customer_id: shared.customer(customer)?.id ?? null,
  group_id: call.request_id,
  event_source: call.event_source,
  valid: decision.valid,
  redeemables: decision.outcomes.map(verdictOf),
  campaigns: decision.outcomes.flatMap(campaignOf),
  created_at: call.instant,
});

function verdictOf(outcome: Outcome): Verdict {
  const { redeemable, status } = outcome;
  const id = "code" in redeemable ? redeemable.code : redeemable.id;
  const verdict = { object: redeemable.object, id, status };
  switch (outcome.status) {
    case "APPLICABLE":
      return verdict;
    case "SKIPPED":
      return { ...verdict, result: { error: { key: outcome.reason, message: skip_messages[outcome.reason] } } };
    case "INAPPLICABLE": {
      const { key, message } = refusalBody(outcome.refusal);
      return { ...verdict, result: { error: { key, message: message.slice(0, message_length_max) } } };
    }
  }
}

/** What is passed over although nothing is wrong with it counts as neither. */
function campaignOf({ redeemable, status }: Outcome) {
  const campaign = "not_found" in redeemable ? null : redeemable.campaign;
  return campaign && status !== "SKIPPED" ? [{ campaign_id: campaign.id, valid: status === "APPLICABLE" }] : [];
}
