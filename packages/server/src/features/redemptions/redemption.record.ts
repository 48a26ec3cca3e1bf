import { type DecisionFacts, decide } from "@guerdon/engine";
import {
  changeOnFacts,
  type Deciding,
  type DecidingRequest,
  factsOf,
  isOutdated,
  type SharedFacts,
} from "../../deciding/index.js";
import { Problem } from "../../platform/http/problems.js";
import { type Batcher, type Change, createBatcher, type Deferred } from "../../recording/index.js";
import { recordFailure } from "./redemption.failure.js";
import { type RecordedRedemption, recordSuccess } from "./redemption.success.js";

/** What became of one request: it is recorded, or refused with a problem (a failure record may stand behind it). */
export type Recorded = { redeemed: RecordedRedemption } | { refused: Problem };

/** Redeems one request, in whatever company. */
export type Redeemer = Batcher<DecidingRequest, Recorded>;

export const createRedeemer = (deciding: Deciding): Redeemer =>
  createBatcher(
    {
      projectOf: ({ call }) => call.project_id,
      weightOf,
      record(requests) {
        deciding.context.metrics.batched(requests.length);
        return recordRedemptions(deciding, requests);
      },
    },
    deciding.context.log,
  );

/**
 * Redeems requests of one project that share a transaction, in the order of their arrival, each on what the one before
 * left. A lone request is a batch of one.
 */
const recordRedemptions = (
  deciding: Deciding,
  requests: readonly DecidingRequest[],
): Promise<(Recorded | Deferred)[]> =>
  changeOnFacts(deciding, requests, (change, shared) =>
    requests.map((request) => recordOne(change.causedBy(request.call), shared, request)),
  );

function recordOne(change: Change, shared: SharedFacts, request: DecidingRequest): Recorded | Deferred {
  if (isOutdated(shared, request)) return { deferred: true };
  let facts: DecisionFacts;
  try {
    facts = factsOf(shared, request);
  } catch (refused) {
    if (refused instanceof Problem) return { refused };
    throw refused;
  }
  const decision = decide(facts, request.call.instant);
  const recorded = decision.valid
    ? { redeemed: recordSuccess(change, shared, request, decision) }
    : { refused: recordFailure(change, shared, request, decision) };
  shared.keepCounted(request.customer);
  return recorded;
}

/** What one redemption may need: keys, and lines × redeemables. */
const weightOf = ({ redeemables, order }: DecidingRequest) => ({
  // A customer and an order each take one key, a redeemable its own and those of its and its campaign's counters.
  keys: 3 * redeemables.length + 2,
  work: redeemables.length * (order?.items?.length ?? 1),
});
