import { type Decision, type Inapplicable, isSingle } from "@guerdon/engine";
import { books, type RedemptionRow } from "../../books/index.js";
import { type DecidingRequest, leftOut, type SharedFacts, stackingRulesOf } from "../../deciding/index.js";
import type { Problem } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { refusals, refusedFor } from "../../terms/index.js";
import { redemptionEvent } from "./redemption.events.js";
import { rowOfRequest } from "./redemption.row.js";

/**
 * A refused redemption leaves a record and an event, and changes nothing else (redemption.md §10). The error is that of
 * the first inapplicable redeemable; where nothing is wrong with any of them, that none applies, and what became of each.
 */
export function recordFailure(
  change: Change,
  shared: SharedFacts,
  request: DecidingRequest,
  { outcomes }: Decision,
): Problem {
  const all_or_nothing = stackingRulesOf(shared, request).redeemables_application_mode === "ALL";
  const failed = outcomes.find((outcome): outcome is Inapplicable => outcome.status === "INAPPLICABLE");
  // A stack that nobody knows stands alone and has no tiers to tell of: it is the error of the whole, in every mode.
  const blamed = failed && (all_or_nothing || !isSingle(failed.redeemable.object)) ? failed : undefined;
  const id = newId("rf");
  const named = { resource_id: id, resource_type: "redemption" };
  const refused = blamed
    ? refusedFor(blamed.refusal, named)
    : refusals.noApplicableRedeemables({ ...named, ...leftOut(request, outcomes) });
  const record = failureRow(shared, request, id, blamed, refused);
  change.add(books.redemptions, record);
  change.tell(redemptionEvent(record, "redemption.failed"));
  return refused;
}

function failureRow(
  shared: SharedFacts,
  request: DecidingRequest,
  id: string,
  failed: Inapplicable | undefined,
  { body }: Problem,
): RedemptionRow {
  const redeemable = failed && !("not_found" in failed.redeemable) ? failed.redeemable : undefined;
  const row = rowOfRequest(shared, request, shared.customer(request.customer), {
    id,
    result: "FAILURE",
    status: "FAILED",
    redeemed: redeemable ?? null,
  });
  row.campaign_id = redeemable?.campaign?.id ?? null;
  row.failure_code = body.key ?? null;
  row.failure_message = body.message;
  return row;
}
