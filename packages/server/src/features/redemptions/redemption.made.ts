import type { Decision } from "@guerdon/engine";
import type { DecidingRequest, SharedFacts } from "../../deciding/index.js";
import { Problem } from "../../platform/http/problems.js";
import type { CustomerInput } from "../customers/index.js";
import { assertOverrides, referrerIn } from "../orders/index.js";

/**
 * Why nothing may come of a granted request: the metadata of a customer, an order or a product that it would make lacks what
 * the project's schemas require (rules.md §16). Found before anything is recorded, since others share the transaction.
 */
export function lackingIn(shared: SharedFacts, request: DecidingRequest, decision: Decision): Problem | undefined {
  const { call, customer, order } = request;
  const { metadata_schemas } = call;
  if (metadata_schemas.is_empty) return undefined;
  const assertCustomer = (input: CustomerInput | null | undefined) => {
    if (input && !shared.customer(input)) metadata_schemas.assertFits("customer", input.metadata, { is_made: true });
  };
  try {
    assertCustomer(customer);
    if (!order || !decision.order) return undefined;
    assertCustomer(referrerIn(order));
    if (!shared.order(order)) metadata_schemas.assertFits("order", order.metadata, { is_made: true });
    assertOverrides(call, order.items, decision.order);
  } catch (refused) {
    if (refused instanceof Problem) return refused;
    throw refused;
  }
  return undefined;
}
