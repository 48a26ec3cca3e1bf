import type { Tx } from "../../platform/db/database.js";
import { type LockKey, tryKeys } from "../../platform/db/locks.js";
import type { DecidingRequest } from "../requests/request.js";

/**
 * The orders that the requests of a transaction name. One that is being recorded on, here or elsewhere, is not waited for:
 * whoever names it meanwhile is told so (redemption.md §4, A8), since a second click on "pay" would redeem twice. Tried by
 * the name that the request gives, so that it costs no round trip; where one request gives the order's id and another its
 * source id, the second waits for the first as it does for an edit.
 */
export class OrdersInUse {
  private taken = new Set<DecidingRequest>();
  private readonly had = new Set<DecidingRequest>();

  /** Takes the orders at the beginning of a try. */
  async take(tx: Tx, requests: readonly DecidingRequest[]): Promise<void> {
    const named = requests.flatMap((request) => {
      const key = keyOf(request);
      return key ? [{ request, key }] : [];
    });
    this.taken = new Set();
    if (named.length === 0) return;
    const free = await tryKeys(
      tx,
      named.map(({ key }) => key),
    );
    const seen = new Set<string>();
    for (const [i, { request, key }] of named.entries()) {
      // Who had it in an earlier try may meet what is left of that one, and waits for it.
      const is_free = (free[i] || this.had.has(request)) && !seen.has(key.id);
      seen.add(key.id);
      (is_free ? this.had : this.taken).add(request);
    }
  }

  isTakenFrom(request: DecidingRequest): boolean {
    return this.taken.has(request);
  }
}

function keyOf({ call: { project_id }, order }: DecidingRequest): LockKey | null {
  const name = order?.id ? `id ${order.id}` : order?.source_id ? `source_id ${order.source_id}` : null;
  return name === null ? null : { project_id, kind: "order_in_use", id: name };
}
