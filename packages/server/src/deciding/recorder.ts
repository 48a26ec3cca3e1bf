import type { DecideOptions, Decision } from "@guerdon/engine";
import type { Catalogues } from "../catalogue/index.js";
import type { Context } from "../platform/context.js";
import { Problem } from "../platform/http/problems.js";
import { type Change, createBatcher, type Deferred } from "../recording/index.js";
import { isOutdated, resolved } from "./candidates.js";
import { decideRequest } from "./decide-request.js";
import { compoundOf } from "./kinds/index.js";
import type { DecidingRequest } from "./requests/request.js";
import type { SharedFacts } from "./shared-facts.js";
import { changeOnFacts } from "./under-keys.js";

/** What recording one request takes of the thread, beside its decision; in units of `platform/sharing/turns.ts`. */
const recorded_units = 8_000;

/**
 * Adds to the change what becomes true by one decision; the facts are left as it leaves them, for the next request of its
 * batch.
 */
export type RecordOne<Answer extends object> = (
  change: Change,
  shared: SharedFacts,
  request: DecidingRequest,
  decision: Decision,
) => Answer;

/** Records one request, in whatever company: a redemption, a lock, anything that is decided and leaves something. */
export type Recorder = <Answer extends object>(
  request: DecidingRequest,
  record: RecordOne<Answer>,
  options?: DecideOptions,
) => Promise<Answer>;

interface Asked {
  request: DecidingRequest;
  /** What its redeemables stand for. */
  singles: number;
  record: RecordOne<object>;
  options: DecideOptions;
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
        return changeOnFacts({ context, catalogues }, requests, async (change, shared) => {
          const recorded: (Recorded | Deferred)[] = [];
          // In their order, each on what the one before left; where much is to be decided, others have turns in between.
          for (const one of asked) {
            recorded.push(await recordOne(context, change.causedBy(one.request.call), shared, one));
          }
          return recorded;
        });
      },
    },
    log,
  );
  return async <Answer extends object>(request: DecidingRequest, record: RecordOne<Answer>, options = {}) => {
    const singles = await countSingles(context, catalogues, request);
    const recorded = await inCompany({ request, singles, record, options });
    if ("refused" in recorded) throw recorded.refused;
    return recorded.recorded as Answer;
  };
}

async function recordOne(
  { turns }: Context,
  change: Change,
  shared: SharedFacts,
  { request, record, options }: Asked,
): Promise<Recorded | Deferred> {
  if (isOutdated(shared, request)) return { deferred: true };
  let decision: Decision;
  try {
    decision = await decideRequest(turns, shared, request, options);
  } catch (refused) {
    if (refused instanceof Problem) return { refused };
    throw refused;
  }
  const recorded = record(change, shared, request, decision);
  const { project_id } = request.call;
  if (turns.tookBeside(project_id, recorded_units)) await turns.next(project_id);
  return { recorded };
}

/** What one request may need: keys, and lines × redeemables. */
const weightOf = ({ request: { order }, singles }: Asked) => ({
  // A customer and an order each take one key, a redeemable its own and those of its and its campaign's counters.
  keys: 3 * singles + 2,
  work: singles * (order?.items?.length ?? 1),
});

async function countSingles({ db }: Context, catalogues: Catalogues, { call, redeemables }: DecidingRequest) {
  if (!redeemables.some(({ object }) => compoundOf(object))) return redeemables.length;
  return resolved(await catalogues.at(db, call.project_id, call.version), redeemables).length;
}
