import type { OrderPart, RunningOrder } from "@guerdon/engine";
import type { DecidingRequest, SharedFacts } from "../../deciding/index.js";
import { newId } from "../../platform/ids.js";
import type { Customer } from "../customers/index.js";
import { itemsOf, moneyOf, type Order, paidAt } from "../orders/index.js";

/** The order after a redemption: paid, unless the request says otherwise (redemption.md §8). */
export function orderAfter(
  shared: SharedFacts,
  { call, order: sent }: DecidingRequest,
  running: RunningOrder,
  applied: OrderPart,
  { customer, referrer_id }: { customer: Customer | null; referrer_id: string | null },
): Order {
  const known = shared.order(sent);
  const status = sent?.status ?? "PAID";
  return {
    id: known?.id ?? newId("ord"),
    source_id: known?.source_id ?? sent?.source_id ?? null,
    status,
    customer_id: customer?.id ?? known?.customer_id ?? null,
    referrer_id: referrer_id,
    currency: shared.catalogue.project.currency,
    version: (known?.version ?? 0) + 1,
    ...moneyOf(running, applied),
    items: itemsOf(running, applied),
    metadata: { ...running.metadata },
    paid_at: paidAt(known, status, call.instant),
    created_at: known?.created_at ?? call.instant,
    updated_at: known ? call.instant : null,
  };
}
