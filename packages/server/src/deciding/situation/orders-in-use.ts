import type { Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { InUse } from "../../recording/index.js";
import type { Named } from "../named.js";
import type { DecidingRequest } from "../requests/request.js";

/** What tells that an order is being worked on, whoever it is named by. */
export const orderInUse = (project_id: string, id: string): LockKey => inUse(project_id, `id ${id}`);

/**
 * The orders that the requests of a transaction name: who names one that is being recorded on is told so. Tried by the name
 * that the request gives, so that it costs no round trip; only who names a stored order by its source id tries the id behind it
 * as well, and loses to whoever has that.
 */
export class OrdersInUse {
  private readonly in_use = new InUse<DecidingRequest>();

  /** Takes the orders by the names given, at the beginning of a try. */
  async take(tx: Tx, requests: readonly DecidingRequest[]): Promise<void> {
    this.in_use.begin();
    await this.in_use.take(tx, ordersNamed(requests));
  }

  /** The keys that {@link take} tries, for a statement that does so itself. */
  keysOf(requests: readonly DecidingRequest[]): LockKey[] {
    return ordersNamed(requests).map(({ key }) => key);
  }

  /** At the beginning of a try all of them were free, and so were those of the orders that turned out to be stored. */
  took(requests: readonly DecidingRequest[], named: Named): void {
    this.in_use.begin();
    this.in_use.noteFree(ordersNamed(requests));
    this.in_use.noteFree(this.stored(requests, named));
  }

  /** Takes those that were named by their source ids and turned out to be stored. */
  async takeStored(tx: Tx, requests: readonly DecidingRequest[], named: Named): Promise<void> {
    await this.in_use.take(tx, this.stored(requests, named));
  }

  isTakenFrom(request: DecidingRequest): boolean {
    return this.in_use.takenFrom(request) !== undefined;
  }

  private stored(requests: readonly DecidingRequest[], named: Named): Wanted[] {
    return requests.flatMap((request) => {
      const stored = request.order?.id || this.isTakenFrom(request) ? undefined : named.order(request.order);
      return stored ? { request, key: orderInUse(request.call.project_id, stored.id) } : [];
    });
  }
}

interface Wanted {
  request: DecidingRequest;
  key: LockKey;
}

/** Whoever names an order, and its key by the name given. */
const ordersNamed = (requests: readonly DecidingRequest[]): Wanted[] =>
  requests.flatMap((request) => {
    const { call, order } = request;
    if (order?.id) return { request, key: orderInUse(call.project_id, order.id) };
    return order?.source_id ? { request, key: inUse(call.project_id, `source_id ${order.source_id}`) } : [];
  });

const inUse = (project_id: string, id: string): LockKey => ({ project_id, kind: "order_in_use", id });
