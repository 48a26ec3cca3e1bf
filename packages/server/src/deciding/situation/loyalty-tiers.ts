import { findTierIdsOf } from "../../features/loyalties/tiers/index.js";
import type { Queries } from "../../platform/db/database.js";
import type { SharedFacts } from "../shared-facts.js";
import type { Subject } from "./subject.js";

/** Whose tiers are wanted: of customers whom rules ask about, of cards that are spent. */
interface AskedTiers {
  subjects: readonly Subject[];
  voucher_ids: readonly string[];
}

/** Reads which loyalty tiers they are in; nothing where nobody asks. */
export async function readLoyaltyTiers(
  db: Queries,
  shared: SharedFacts,
  { subjects, voucher_ids }: AskedTiers,
): Promise<void> {
  const customer_ids = [...new Set(subjects.flatMap(({ customer }) => shared.customer(customer)?.id ?? []))];
  if (customer_ids.length === 0 && voucher_ids.length === 0) return;
  const found = await findTierIdsOf(db, shared.catalogue.project.id, { customer_ids, voucher_ids });
  for (const { voucher_id, customer_id, tier_id } of found) {
    shared.tiers_of_cards.set(voucher_id, tier_id);
    if (customer_id === null) continue;
    const tiers = shared.tiers_of_customers.get(customer_id) ?? new Set();
    shared.tiers_of_customers.set(customer_id, tiers.add(tier_id));
  }
}
