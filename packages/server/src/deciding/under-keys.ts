import type { Catalogue, Catalogues, Claim } from "../catalogue/index.js";
import { customerKeys, keysOfCustomers } from "../features/customers/index.js";
import { keysOfOrders, orderKeys } from "../features/orders/index.js";
import { type Call, confirmed } from "../features/projects/index.js";
import type { Context } from "../platform/context.js";
import type { Tx } from "../platform/db/database.js";
import { type Locked, type LockKey, lockNamed, type NamedKeys } from "../platform/db/locks.js";
import { joined } from "../platform/db/sql.js";
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
import { singlesOf, wantedOf } from "./candidates.js";
import { counterKeys } from "./counting/counters.js";
import { withHistories } from "./counting/histories.js";
import type { RulesThatCount } from "./counting/rules-that-count.js";
import { readFacts, readNames } from "./gather.js";
import { kindOf, kinds } from "./kinds/index.js";
import { Named } from "./named.js";
import type { DecidingRequest } from "./requests/request.js";
import type { SharedFacts } from "./shared-facts.js";
import { OrdersInUse } from "./situation/orders-in-use.js";
import { idsAndSourceIds, peopleIn } from "./situation/subject.js";

interface Deciding {
  context: Context;
  catalogues: Catalogues;
  rules_that_count: RulesThatCount;
}

/**
 * A change that is decided on facts that stay as they are until it is committed. The requests are of one project; each is
 * recorded in its own name, in their order, and told by its place among them.
 */
export async function changeOnFacts<Answer, Body>(
  deciding: Deciding,
  requests: readonly DecidingRequest[],
  record: (change: Change, shared: SharedFacts, place: number) => Promise<Answer | Problem | Deferred>,
  render: RenderEach<Answer, Body>,
): Promise<(Outcome<Body> | Deferred)[]> {
  const { context, catalogues } = deciding;
  const calls = requests.map((request) => request.call);
  const [call] = calls as [Call];
  const version = Math.max(...calls.map((one) => one.version));
  // A first read of a large catalogue takes seconds, which no transaction should be open for.
  await catalogues.at(context.db, call.project_id, version);
  return withHistories(context.db, call.project_id, async () => {
    const tries: Tries = { count: 0, claims: [], orders: new OrdersInUse() };
    const work = async (change: Change, places: readonly number[]) => {
      const asked = places.map((place) => requests[place] as DecidingRequest);
      const { refused, shared } = await factsUnderKeys(deciding, change.tx, asked, version, tries);
      const recorded: (Answer | Problem | Deferred)[] = [];
      // Each on what the one before left; where much is to be decided, others have turns in between.
      for (const [i, request] of asked.entries()) {
        const taken = tries.orders.isTakenFrom(request) ? refusals.multipleRequests("order") : undefined;
        const refusal = refused.get(request.call) ?? taken;
        recorded.push(refusal ?? (await record(change.causedBy(request.call), shared, places[i] as number)));
      }
      return recorded;
    };
    try {
      return await changeTogether(context, calls, work, render);
    } finally {
      for (const claim of tries.claims) claim.release();
    }
  });
}

/** What the tries of one transaction have in common. */
interface Tries {
  count: number;
  claims: Claim[];
  orders: OrdersInUse;
}

async function factsUnderKeys(
  { catalogues, rules_that_count }: Deciding,
  tx: Tx,
  requests: readonly DecidingRequest[],
  version: number,
  tries: Tries,
): Promise<{ shared: SharedFacts; refused: ReadonlyMap<Call, Problem> }> {
  // The server wakes and begins while the names are put together.
  tx.flush();
  const { claims, orders } = tries;
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
  tries.count += 1;
  // Who begins anew does so because names are not enough, or may meet what is left of an order's key that was had.
  const names = tries.count === 1 ? namedKeys(looked_at, requests, orders, rules_that_count.metIn(project_id)) : null;
  let locking: Promise<Locked | undefined> | undefined;
  const shared = await underKeys<Named, SharedFacts>(tx, {
    lockNamed:
      names === null
        ? undefined
        : () => {
            locking = lockNamed(tx, names);
            return locking;
          },
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
        sent().then(() => requests.forEach(nameCustomer)),
      ]);
      refused = held.refused;
      const catalogue = await catalogues.at(tx, project_id, held.version);
      const facts = catalogue === known ? read : await readFacts(tx, claimed(catalogue), requests, named);
      rules_that_count.meet(facts, requests);
      if (named === null && (await locking)) orders.took(requests, facts);
      return facts;
    },
  });
  return { shared, refused };
}

/** What has been asked is on its way. */
const sent = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** Makes the token that what is recorded shows of the customer, while the server reads. */
function nameCustomer({ customer, tracking }: DecidingRequest): void {
  if (customer?.source_id) tracking.tokenOf(customer.source_id);
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

/**
 * What must be held for the requests, found by their names. Null where it hangs on more than names, or there is nothing to find.
 * @param rules_that_count null where they are too many to be told
 */
function namedKeys(
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
  in_use: OrdersInUse,
  rules_that_count: readonly string[] | null,
): NamedKeys | null {
  if (rules_that_count === null) return null;
  const { id: project_id } = catalogue.project;
  const people = requests.flatMap(peopleIn);
  const orders = requests.flatMap(({ order }) => order ?? []);
  const found = [
    ...(people.length > 0 ? [keysOfCustomers(project_id, idsAndSourceIds(people))] : []),
    ...(orders.length > 0 ? [keysOfOrders(project_id, idsAndSourceIds(orders))] : []),
  ];
  const unnamed = new Named(catalogue);
  for (const { object, findKeys } of kinds) {
    const wanted = findKeys && wantedOf(unnamed, requests, object);
    if (!wanted) continue;
    const of_kind = findKeys(catalogue, wanted, rules_that_count);
    if (of_kind === null) return null;
    found.push(of_kind);
  }
  if (found.length === 0) return null;
  const known = requests.flatMap((request) => keysOf(unnamed, request));
  return { project_id, known, tried: in_use.keysOf(requests), found: joined(found, "union all") };
}
