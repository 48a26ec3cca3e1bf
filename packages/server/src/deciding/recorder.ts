import type { DecideOptions, Decision } from "@guerdon/engine";
import type { Catalogues } from "../catalogue/index.js";
import type { Context } from "../platform/context.js";
import { writtenAhead } from "../platform/http/bodies/long-answers.js";
import { Problem } from "../platform/http/problems.js";
import { bodyOf, type Change, createBatcher, type Deferred, type Outcome, type Render } from "../recording/index.js";
import { isOutdated, resolved } from "./candidates.js";
import { RulesThatCount } from "./counting/rules-that-count.js";
import { decideRequest } from "./decide-request.js";
import { compoundOf } from "./kinds/index.js";
import type { DecidingRequest } from "./requests/request.js";
import type { SharedFacts } from "./shared-facts.js";
import { peopleIn } from "./situation/subject.js";
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
) => Answer | Problem | Promise<Answer>;

/** Records one request, in whatever company: a redemption, a lock, anything that is decided and leaves something. */
export type Recorder = <Answer extends object, Body>(
  request: DecidingRequest,
  record: RecordOne<Answer>,
  render: Render<Answer, Body>,
  options?: DecideOptions,
) => Promise<Body>;

interface Asked {
  request: DecidingRequest;
  /** What its redeemables stand for. */
  singles: number;
  record: RecordOne<object>;
  render: Render<object, unknown>;
  options: DecideOptions;
}

/**
 * One batcher for all that decides and records, so that a rush on one voucher costs one lock and one commit a batch
 * whatever it is made of, and each request sees what the one before left.
 */
export function createRecorder(context: Context, catalogues: Catalogues): Recorder {
  const { log, metrics } = context;
  const rules_that_count = new RulesThatCount();
  const inCompany = createBatcher<Asked, Outcome<unknown>>(
    {
      projectOf: ({ request }) => request.call.project_id,
      weightOf,
      record(asked) {
        metrics.batched(asked.length);
        const at = (place: number) => asked[place] as Asked;
        return changeOnFacts(
          { context, catalogues, rules_that_count },
          asked.map(({ request }) => request),
          (change, shared, place) => recordOne(context, change, shared, at(place)),
          // While the COMMIT is under way, so is the text.
          async (answer, db, place) => writtenAhead(await at(place).render(answer, db)),
        );
      },
    },
    log,
  );
  return async <Answer extends object, Body>(
    request: DecidingRequest,
    record: RecordOne<Answer>,
    render: Render<Answer, Body>,
    options = {},
  ) => {
    const singles = await countSingles(context, catalogues, request);
    const asked = { request, singles, record, render: render as Render<object, unknown>, options };
    return bodyOf((await inCompany(asked)) as Outcome<Body>);
  };
}

async function recordOne(
  { turns }: Context,
  change: Change,
  shared: SharedFacts,
  { request, record, options }: Asked,
): Promise<object | Problem | Deferred> {
  if (isOutdated(shared, request)) return { deferred: true };
  let decision: Decision;
  try {
    decision = await decideRequest(turns, shared, request, options);
  } catch (refused) {
    // No decision could be asked about it; its neighbours go on.
    if (refused instanceof Problem) return refused;
    throw refused;
  }
  const recorded = await record(change, shared, request, decision);
  const { project_id } = request.call;
  if (turns.tookBeside(project_id, recorded_units)) await turns.next(project_id);
  return recorded;
}

/** What one request may need: keys, and lines × redeemables. */
const weightOf = ({ request, singles }: Asked) => {
  const { order, redeemables } = request;
  const rewards = redeemables.filter(({ reward }) => reward).length;
  return {
    // A customer, a referrer and an order each take two keys, of what they are and of what they are called; a redeemable its own and those of
    // its and its campaign's counters; what a card is spent on takes one too, and one that a campaign gives those of its publication and of
    // the card it is added to.
    keys: 3 * singles + 5 * rewards + 2 * peopleIn(request).length + (order ? 2 : 0),
    work: singles * (order?.items?.length ?? 1),
  };
};

async function countSingles({ db }: Context, catalogues: Catalogues, { call, redeemables }: DecidingRequest) {
  if (!redeemables.some(({ object }) => compoundOf(object))) return redeemables.length;
  return resolved(await catalogues.at(db, call.project_id, call.version), redeemables).length;
}
