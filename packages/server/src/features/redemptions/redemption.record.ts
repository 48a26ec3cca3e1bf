import type { Deciding, RecordOne } from "../../deciding/index.js";
import { recordFailure } from "./redemption.failure.js";
import { lackingIn } from "./redemption.made.js";
import { type RecordedRedemption, recordSuccess } from "./redemption.success.js";

/** Redeems a request on what the one before it has left; behind the problem of a refused one stands a failure record. */
export const recordRedemption: RecordOne<RecordedRedemption> = (change, shared, request, decision) => {
  const lacking = decision.valid ? lackingIn(shared, request, decision) : undefined;
  if (lacking) return lacking;
  const recorded = decision.valid
    ? recordSuccess(change, shared, request, decision)
    : recordFailure(change, shared, request, decision);
  shared.keepCounted(request.customer);
  return recorded;
};

/** The same, and what is refused is explained when it has been answered. */
export const recordExplaining =
  ({ refusals }: Pick<Deciding, "refusals">): RecordOne<RecordedRedemption> =>
  (change, shared, request, decision) => {
    refusals.add(shared, request, decision, "redemption");
    return recordRedemption(change, shared, request, decision);
  };
