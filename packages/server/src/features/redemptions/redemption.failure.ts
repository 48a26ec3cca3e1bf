import type { Decision, Inapplicable } from "@guerdon/engine";
import { books, type RedemptionRow } from "../../books/index.js";
import {
  type DecidingRequest,
  kindOf,
  refusalBody,
  request_refusals,
  type SharedFacts,
  stackingRulesOf,
} from "../../deciding/index.js";
import { Problem } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { redemptionEvent } from "./redemption.events.js";
import { rowOfRequest } from "./redemption.row.js";

/**
 * A refused redemption leaves a record and an event, and changes nothing else (redemption.md §10). The error is that of
 * the first inapplicable redeemable; where nothing is wrong with any of them, that none applies.
 */
export function recordFailure(
  change: Change,
  shared: SharedFacts,
  request: DecidingRequest,
  decision: Decision,
): Problem {
  const all_or_nothing = stackingRulesOf(shared, request).redeemables_application_mode === "ALL";
  const failed = decision.outcomes.find((outcome): outcome is Inapplicable => outcome.status === "INAPPLICABLE");
  const blamed = all_or_nothing ? failed : undefined;
  const record = failureRow(shared, request, blamed);
  change.add(books.redemptions, record);
  change.tell(redemptionEvent(record, "redemption.failed"));
  return problemOf(record, blamed);
}

function problemOf(record: RedemptionRow, failed: Inapplicable | undefined): Problem {
  const resource = { resource_id: record.id, resource_type: "redemption" };
  if (!failed) return request_refusals.noApplicableRedeemables(resource);
  const body = refusalBody(failed.refusal);
  // A 404 names what is missing; every other error names its failure record.
  return new Problem(body.code, body.code === 404 ? body : { ...body, ...resource });
}

function failureRow(shared: SharedFacts, request: DecidingRequest, failed: Inapplicable | undefined): RedemptionRow {
  const redeemable = failed && !("not_found" in failed.redeemable) ? failed.redeemable : undefined;
  const body = failed ? refusalBody(failed.refusal) : undefined;
  return {
    ...rowOfRequest(shared, request, shared.customer(request.customer)),
    id: newId("rf"),
    result: "FAILURE",
    status: "FAILED",
    ...(redeemable ? kindOf(redeemable.object)?.columns(redeemable.id) : {}),
    campaign_id: redeemable?.campaign?.id ?? null,
    failure_code: body?.key ?? "no_applicable_redeemables",
    failure_message: body?.message ?? "No applicable redeemables",
  };
}
