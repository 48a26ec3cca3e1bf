import type { RunningOrder } from "../orders/order.js";
import { subtotal, totalAmount } from "../orders/part.js";
import type { ApplicableEntry } from "../rules/contract.js";
import type { CompiledDiscount } from "./compile.js";
import type { SelectedLine } from "./selection.js";
import type { LineLimit } from "./trace.js";

type Limits = readonly { readonly name: LineLimit; readonly left: number }[];

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** What the limits still allow while the lines of one discount are served one after the other (discounts.md §5, step 6). */
export interface LineLimits {
  /** The limits of a line that leave less than is wanted, for an explanation. */
  holdingBack(selected: SelectedLine, wanted: number): Limits;
  /** Grants at most `wanted` minor units and takes them from the aggregated limits. */
  grant(selected: SelectedLine, wanted: number): number;
}

/** Aggregated limits are consumed in application order: earlier lines first, the last one gets the rest. */
export function lineLimits(discount: CompiledDiscount, order: RunningOrder): LineLimits {
  let aggregated = discount.aggregated_amount_limit ?? NO_LIMIT;
  let total = totalAmount(order);
  const of_entries = new Map<ApplicableEntry, number>();
  const entryLeft = (entry: ApplicableEntry) =>
    of_entries.get(entry) ?? Math.floor(entry.aggregated_amount_limit ?? NO_LIMIT);
  const limitsOf = ({ line, entry }: SelectedLine): Limits => [
    { name: "amount_limit", left: discount.amount_limit ?? NO_LIMIT },
    { name: "entry_amount_limit", left: Math.floor(entry.amount_limit ?? NO_LIMIT) },
    { name: "aggregated_amount_limit", left: aggregated },
    { name: "entry_aggregated_amount_limit", left: entryLeft(entry) },
    { name: "subtotal_amount", left: subtotal(line) },
    { name: "total_amount", left: total },
  ];
  return {
    holdingBack: (selected, wanted) => holdingBack(limitsOf(selected), wanted),
    grant(selected, wanted) {
      const granted = Math.min(
        wanted,
        discount.amount_limit ?? NO_LIMIT,
        Math.floor(selected.entry.amount_limit ?? NO_LIMIT),
        aggregated,
        entryLeft(selected.entry),
        subtotal(selected.line),
        total,
      );
      aggregated -= granted;
      total -= granted;
      if (selected.entry.aggregated_amount_limit !== null) {
        of_entries.set(selected.entry, entryLeft(selected.entry) - granted);
      }
      return granted;
    },
  };
}

/** Those limits that leave less than was wanted. */
export const holdingBack = (limits: Limits, wanted: number) => limits.filter(({ left }) => left < wanted);
