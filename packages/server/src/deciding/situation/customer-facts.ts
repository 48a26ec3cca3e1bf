import type { CustomerFacts, Work } from "@guerdon/engine";
import type { SharedFacts } from "../shared-facts.js";
import { segmentsHolding } from "./memberships.js";
import type { Subject } from "./subject.js";

/**
 * Stored and inline data together, inline winning key by key (rules.md §5); nothing is stored by looking.
 * @param segment_ids those that somebody asks about
 */
export function customerFacts(
  shared: SharedFacts,
  subject: Subject,
  segment_ids: readonly string[],
  work: Work,
): CustomerFacts | null {
  const { customer } = subject;
  if (!customer) return null;
  const known = shared.customer(customer);
  return {
    id: known?.id ?? null,
    source_id: known?.source_id ?? customer.source_id ?? null,
    metadata: { ...known?.metadata, ...customer.metadata },
    birthdate: customer.birthdate ?? known?.birthdate ?? null,
    segments: segmentsHolding(shared, { subject, segment_ids }, work),
    loyalty_tiers: shared.tiers_of_customers.get(known?.id ?? "") ?? new Set(),
  };
}
