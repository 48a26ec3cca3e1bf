import type { Customer, CustomerInput } from "../features/customers/index.js";
import type { Order } from "../features/orders/index.js";
import { type CatalogueOfLines, no_lines } from "../features/products/index.js";
import type { CustomerCounts } from "../features/segments/index.js";
import { UnitUsage } from "./counting/unit-usage.js";
import { Named } from "./named.js";

/** What the segments that rules ask about need to know of stored customers (rules.md §14). */
export interface Memberships {
  /** Ids of static segments by customer id. */
  listed: ReadonlyMap<string, ReadonlySet<string>>;
  /** By customer id; only what the filters look at. */
  counts: ReadonlyMap<string, CustomerCounts>;
}

/**
 * Everything that the requests of a batch look at, as one read found it. What a redemption changes is changed here too,
 * so that the next request of the batch decides on what the one before left.
 */
export class SharedFacts extends Named<Customer, Order> {
  /** Of the lines that the requests send, and of what unit discounts give away. */
  catalogue_of_lines: CatalogueOfLines = no_lines;
  /** Values of the counters that rules look at; named by `counters.ts`. */
  readonly counts = new Map<string, number>();
  /**
   * Ids of the vouchers and customers whose histories rows hold, where somebody records: read under their keys. A customer that comes into
   * being has none.
   */
  readonly held_in_rows = new Set<string>();
  /** Units that unit budgets count; named by `unit-usage-facts.ts`. */
  readonly unit_usage = new UnitUsage();
  /** What the segments of rules need to know of the customers. */
  memberships: Memberships = { listed: new Map(), counts: new Map() };
  /** The loyalty tiers of customers whom rules ask about; what a redemption does to them is found after the answer. */
  readonly tiers_of_customers = new Map<string, Set<string>>();
  /** Of cards that are spent on rewards, which may cost less there. */
  readonly tiers_of_cards = new Map<string, string>();
  /** Whom a request of this batch has redeemed for: what was counted about them before is old. */
  private readonly counted_customers = new Set<string>();

  isCounted(input: CustomerInput | null): boolean {
    return this.counted_customers.has(this.customer(input)?.id ?? "");
  }

  keepCounted(input: CustomerInput | null): void {
    const known = this.customer(input);
    if (known) this.counted_customers.add(known.id);
  }
}
