import type { RecordOne } from "../../deciding/index.js";
import type { Problem } from "../../platform/http/problems.js";
import { recordFailure } from "./redemption.failure.js";
import { type RecordedRedemption, recordSuccess } from "./redemption.success.js";

/** What became of one request: it is recorded, or refused with a problem, behind which a failure record stands. */
export type Recorded = { redeemed: RecordedRedemption } | { refused: Problem };

/** Redeems a request on what the one before it has left. */
export const recordRedemption: RecordOne<Recorded> = (change, shared, request, decision) => {
  const recorded = decision.valid
    ? { redeemed: recordSuccess(change, shared, request, decision) }
    : { refused: recordFailure(change, shared, request, decision) };
  shared.keepCounted(request.customer);
  return recorded;
};
