import type { CustomerInput } from "../../features/customers/index.js";
import { type OrderInputBody, referrerIn } from "../../features/orders/index.js";
import type { Call } from "../../features/projects/index.js";

/** Who and what a decision is about: whoever asks, and the customer and the order that are meant. */
export interface Subject {
  call: Pick<Call, "instant">;
  /** The request's own, else its order's; null when nobody is named. */
  customer: CustomerInput | null;
  order: OrderInputBody | null;
}

/** Whoever is named in it: the customer, and who referred them. */
export function peopleIn({ customer, order }: Pick<Subject, "customer" | "order">): CustomerInput[] {
  const referrer = order ? referrerIn(order) : undefined;
  return [...(customer ? [customer] : []), ...(referrer ? [referrer] : [])];
}

/** What things are named by: an id wins over a source id. */
export const idsAndSourceIds = (named: readonly { id?: string | null; source_id?: string | null }[]) => ({
  ids: named.flatMap(({ id }) => id || []),
  source_ids: named.flatMap(({ id, source_id }) => (id ? [] : source_id || [])),
});
