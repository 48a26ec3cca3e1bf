import type { DecisionFacts } from "@guerdon/engine";
import type { Catalogues } from "../catalogue/index.js";
import type { Context } from "../platform/context.js";
import { Problem } from "../platform/http/problems.js";
import { type Change, createBatcher, type Deferred } from "../recording/index.js";
import { isOutdated } from "./candidates.js";
import { factsOf } from "./facts-of.js";
import type { DecidingRequest } from "./requests/request.js";
import type { SharedFacts } from "./shared-facts.js";
import { changeOnFacts } from "./under-keys.js";

/**
 * Decides one request and adds to the change what becomes true; the facts are left as it leaves them, for the next request
 * of its batch.
 */
export type RecordOne<Answer extends object> = (
  change: Change,
  shared: SharedFacts,
  request: DecidingRequest,
  facts: DecisionFacts,
) => Answer;

/** Records one request, in whatever company: a redemption, a lock, anything that is decided and leaves something. */
export type Recorder = <Answer extends object>(request: DecidingRequest, record: RecordOne<Answer>) => Promise<Answer>;

interface Asked {
  request: DecidingRequest;
  record: RecordOne<object>;
}

/** The problem of a request that no decision could be asked about; its neighbours go on. */
type Recorded = { recorded: object } | { refused: Problem };

/**
 * One batcher for all that decides and records, so that a rush on one voucher costs one lock and one commit a batch
 * whatever it is made of, and each request sees what the one before left.
 */
export function createRecorder(context: Context, catalogues: Catalogues): Recorder {
  const { log, metrics } = context;
  const inCompany = createBatcher<Asked, Recorded>(
    {
      projectOf: ({ request }) => request.call.project_id,
      weightOf,
      record(asked) {
        metrics.batched(asked.length);
        const requests = asked.map(({ request }) => request);
        return changeOnFacts({ context, catalogues }, requests, (change, shared) =>
          asked.map((one) => recordOne(change.causedBy(one.request.call), shared, one)),
        );
      },
    },
    log,
  );
  return async <Answer extends object>(request: DecidingRequest, record: RecordOne<Answer>) => {
    const recorded = await inCompany({ request, record });
    if ("refused" in recorded) throw recorded.refused;
    return recorded.recorded as Answer;
  };
}

function recordOne(change: Change, shared: SharedFacts, { request, record }: Asked): Recorded | Deferred {
  if (isOutdated(shared, request)) return { deferred: true };
  let facts: DecisionFacts;
  try {
    facts = factsOf(shared, request);
  } catch (refused) {
    if (refused instanceof Problem) return { refused };
    throw refused;
  }
  return { recorded: record(change, shared, request, facts) };
}

/** What one request may need: keys, and lines × redeemables. */
const weightOf = ({ request: { redeemables, order } }: Asked) => ({
  // A customer and an order each take one key, a redeemable its own and those of its and its campaign's counters.
  keys: 3 * redeemables.length + 2,
  work: redeemables.length * (order?.items?.length ?? 1),
});
