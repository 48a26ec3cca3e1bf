import type { Catalogue, Catalogues, Claim } from "../catalogue/index.js";
import { customerKeys } from "../features/customers/index.js";
import { orderKeys } from "../features/orders/index.js";
import { type Call, confirmed } from "../features/projects/index.js";
import type { Context } from "../platform/context.js";
import type { Tx } from "../platform/db/database.js";
import type { LockKey } from "../platform/db/locks.js";
import type { Problem } from "../platform/http/problems.js";
import {
  type Change,
  changeTogether,
  type Deferred,
  type Outcome,
  type RenderEach,
  underKeys,
} from "../recording/index.js";
import { refusals } from "../terms/index.js";
import { singlesOf } from "./candidates.js";
import { counterKeys } from "./counting/counters.js";
import { withHistories } from "./counting/histories.js";
import { readFacts, readNames } from "./gather.js";
import { kindOf } from "./kinds/index.js";
import type { Named } from "./named.js";
import type { DecidingRequest } from "./requests/request.js";
import type { SharedFacts } from "./shared-facts.js";
import { OrdersInUse } from "./situation/orders-in-use.js";
import { peopleIn } from "./situation/subject.js";

/**
 * A change that is decided on facts that stay as they are until it is committed. The requests are of one project; each is
 * recorded in its own name, in their order, and told by its place among them.
 */
export async function changeOnFacts<Answer, Body>(
  { context, catalogues }: { context: Context; catalogues: Catalogues },
  requests: readonly DecidingRequest[],
  record: (change: Change, shared: SharedFacts, place: number) => Promise<Answer | Problem | Deferred>,
  render: RenderEach<Answer, Body>,
): Promise<(Outcome<Body> | Deferred)[]> {
  const calls = requests.map((request) => request.call);
  const [call] = calls as [Call];
  const version = Math.max(...calls.map((one) => one.version));
  // A first read of a large catalogue takes seconds, which no transaction should be open for.
  await catalogues.at(context.db, call.project_id, version);
  return withHistories(context.db, call.project_id, async () => {
    const claims: Claim[] = [];
    const orders = new OrdersInUse();
    const work = async (change: Change, places: readonly number[]) => {
      const asked = places.map((place) => requests[place] as DecidingRequest);
      const { refused, shared } = await factsUnderKeys(catalogues, change.tx, asked, version, claims, orders);
      const recorded: (Answer | Problem | Deferred)[] = [];
      // Each on what the one before left; where much is to be decided, others have turns in between.
      for (const [i, request] of asked.entries()) {
        const taken = orders.isTakenFrom(request) ? refusals.multipleRequests("order") : undefined;
        const refusal = refused.get(request.call) ?? taken;
        recorded.push(refusal ?? (await record(change.causedBy(request.call), shared, places[i] as number)));
      }
      return recorded;
    };
    try {
      return await changeTogether(context, calls, work, render);
    } finally {
      for (const claim of claims) claim.release();
    }
  });
}

async function factsUnderKeys(
  catalogues: Catalogues,
  tx: Tx,
  requests: readonly DecidingRequest[],
  version: number,
  claims: Claim[],
  orders: OrdersInUse,
): Promise<{ shared: SharedFacts; refused: ReadonlyMap<Call, Problem> }> {
  const calls = requests.map(({ call }) => call);
  const [{ project_id }] = calls as [Call];
  let refused: ReadonlyMap<Call, Problem> = new Map();
  /** Whoever starts over has let go of what they held. */
  for (const claim of claims.splice(0)) claim.release();
  const claimed = (catalogue: Catalogue) => {
    const claim = catalogues.claim();
    claims.push(claim);
    return catalogue.claimedBy(claim);
  };
  const known = await catalogues.at(tx, project_id, version);
  const looked_at = claimed(known);
  const shared = await underKeys<Named, SharedFacts>(tx, {
    async resolve() {
      const [named] = await Promise.all([readNames(tx, looked_at, requests), orders.take(tx, requests)]);
      await orders.takeStored(tx, requests, named);
      return named;
    },
    keysOf: (named) => requests.flatMap((request) => (orders.isTakenFrom(request) ? [] : keysOf(named, request))),
    async read(named) {
      const [held, read] = await Promise.all([
        confirmed(tx, project_id, calls),
        readFacts(tx, looked_at, requests, named),
      ]);
      refused = held.refused;
      const catalogue = await catalogues.at(tx, project_id, held.version);
      return catalogue === known ? read : readFacts(tx, claimed(catalogue), requests, named);
    },
  });
  return { shared, refused };
}

/** What a request must have for itself: its redeemables, its people, its order, whether they exist yet or not. */
function keysOf(named: Named, request: DecidingRequest): LockKey[] {
  const { call, order } = request;
  const { project_id } = call;
  return [
    ...singlesOf(named, request).flatMap((single) => kindOf(single.object)?.keys(named, request, single) ?? []),
    ...peopleIn(request).flatMap((one) => customerKeys(project_id, one, named.customer(one))),
    ...(order ? orderKeys(project_id, order, named.order(order)) : []),
    ...counterKeys(named, request),
  ];
}
