import { type DecisionFacts, decide } from "@guerdon/engine";
import type { Catalogues } from "../catalogue/index.js";
import { customerKeys } from "../features/customers/index.js";
import { orderKeys } from "../features/orders/index.js";
import { type Call, readVersion } from "../features/projects/index.js";
import type { Context } from "../platform/context.js";
import type { Tx } from "../platform/database.js";
import { StartOver } from "../platform/database-errors.js";
import { Problem } from "../platform/http/problems.js";
import { type LockKey, lockKeys } from "../platform/locks.js";
import { counterKeys } from "./counters.js";
import { factsOf } from "./facts-of.js";
import { asksForCounts } from "./memberships.js";
import type { Named } from "./named.js";
import { assertKnown, type Gatherer, readFacts, readNames } from "./read-facts.js";
import { recordFailure } from "./record-failure.js";
import { type RecordedRedemption, recordSuccess } from "./record-success.js";
import { request_refusals } from "./refusals.js";
import type { DecidingRequest } from "./request.js";
import type { SharedFacts } from "./shared-facts.js";
import { emptyWriteSet, type WriteSet, write } from "./write-set.js";

export interface Deciding {
  context: Context;
  catalogues: Catalogues;
  /** For decisions that record nothing. */
  gather: Gatherer;
}

/** What became of one request: it is recorded, or refused with a problem (a failure record may stand behind it). */
export type Recorded = { redeemed: RecordedRedemption } | { refused: Problem };

/** It hangs on what a request before it has counted, so it needs a transaction of its own, after this one. */
export type Deferred = { deferred: true };

/**
 * Redeems requests of one project that share a transaction, in the order of their arrival, each on what the one before
 * left. A lone request is a batch of one.
 */
export function recordRedemptions(
  deciding: Deciding,
  requests: readonly DecidingRequest[],
): Promise<(Recorded | Deferred)[]> {
  return underLocks(deciding, requests, async (tx, shared) => {
    const recorded = requests.map((request) => ({ call: request.call, ...recordOne(shared, request) }));
    await write(tx, shared.catalogue.project.id, recorded);
    return recorded.map(({ outcome }) => outcome);
  });
}

/**
 * The steps of architecture.md §3 that every recording shares: resolve the names without locks, lock every key in one
 * statement, read the facts and the catalogue's version in later ones. The work decides and writes.
 *
 * The lock and the reads behind it go out together: each statement sees what was committed when its own turn came, and its
 * turn comes when the one before has been answered.
 */
export async function underLocks<Answer>(
  { context, catalogues }: Deciding,
  requests: readonly DecidingRequest[],
  work: (tx: Tx, shared: SharedFacts) => Promise<Answer>,
): Promise<Answer> {
  const [{ project_id }] = requests.map(({ call }) => call) as [Call];
  const version = Math.max(...requests.map(({ call }) => call.version));
  // A first read of a large catalogue takes seconds, which no transaction should be open for.
  await catalogues.at(context.db, project_id, version);
  return context.db.transaction(async (tx) => {
    const known = await catalogues.at(tx, project_id, version);
    const named = await readNames(tx, known, requests);
    const held = requests.flatMap((request) => keysOf(named, request));
    const [, version_held, read] = await Promise.all([
      lockKeys(tx, held),
      readVersion(tx, project_id),
      readFacts(tx, known, requests),
    ]);
    const catalogue = await catalogues.at(tx, project_id, version_held);
    const shared = catalogue === known ? read : await readFacts(tx, catalogue, requests);
    // A name that means something else by now, or a limit set meanwhile, needs a key that nobody took for it.
    const names_held = new Set(held.map(nameOfKey));
    const needed = requests.flatMap((request) => keysOf(shared, request));
    if (needed.some((key) => !names_held.has(nameOfKey(key)))) throw new StartOver("another key is needed by now");
    return work(tx, shared);
  });
}

function recordOne(shared: SharedFacts, request: DecidingRequest): { outcome: Recorded | Deferred; writes: WriteSet } {
  if (shared.isCounted(request.customer) && asksForCounts(shared, request)) {
    return { outcome: { deferred: true }, writes: emptyWriteSet() };
  }
  let facts: DecisionFacts;
  try {
    assertKnown(shared, request);
    assertNotTwice(shared, request);
    facts = factsOf(shared, request);
  } catch (refused) {
    if (refused instanceof Problem) return { outcome: { refused }, writes: emptyWriteSet() };
    throw refused;
  }
  const decision = decide(facts, request.call.instant);
  if (!decision.valid) {
    const { problem, writes } = recordFailure(shared, request, decision);
    shared.keepCounted(request.customer);
    return { outcome: { refused: problem }, writes };
  }
  const { redeemed, writes } = recordSuccess(shared, request, decision);
  shared.keepCounted(request.customer);
  return { outcome: { redeemed }, writes };
}

/** A code and the id of one voucher are the same redeemable (redemption.md §4 A4). */
export function assertNotTwice(shared: SharedFacts, { redeemables }: DecidingRequest): void {
  const ids = redeemables.flatMap(({ object, id }) => (object === "voucher" ? (shared.voucher(id)?.id ?? []) : []));
  if (new Set(ids).size < ids.length) throw request_refusals.duplicatedRedeemables();
}

/** What a request must have for itself: its vouchers, its customer, its order, whether they exist yet or not. */
function keysOf(named: Named, request: DecidingRequest): LockKey[] {
  const { call, redeemables, customer, order } = request;
  const { project_id } = call;
  const vouchers = redeemables.flatMap(({ object, id }) => (object === "voucher" ? (named.voucher(id)?.id ?? []) : []));
  return [
    ...vouchers.map((id): LockKey => ({ project_id, kind: "voucher", id })),
    ...(customer ? customerKeys(project_id, customer, named.customer(customer)) : []),
    ...(order ? orderKeys(project_id, order, named.order(order)) : []),
    ...counterKeys(named, request),
  ];
}

const nameOfKey = ({ kind, id }: LockKey) => `${kind} ${id}`;
