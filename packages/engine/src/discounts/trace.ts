import type { ItemRef } from "../rules/contract.js";

/** How one amount came about: part of an explanation, made on demand only. Money in minor units. */
export interface AmountStep {
  /** Index of the line; null for an order-level discount. */
  readonly line: number | null;
  /** What the rate was applied to. */
  readonly base: number;
  /** Whether `base` is what is left now or what was there before any discount (discounts.md §8.3). */
  readonly base_mode: "DISCOUNTED_AMOUNT" | "INITIAL_AMOUNT";
  /** Discounted units of the line's units. */
  readonly units: { readonly discounted: number; readonly of: number } | null;
  readonly rate: Rate;
  /** Before rounding, as a decimal number of minor units: `3644.55`. */
  readonly exact: string;
  /** After rounding, before any limit. */
  readonly wanted: number;
  /** The limits that held something back, with what they left. */
  readonly limits: readonly { readonly name: LineLimit; readonly left: number }[];
  readonly amount: number;
}

/** `entry_`: of the entry of `applicable_to`; the last two are what is left of the line and of the order. */
export type LineLimit =
  | "amount_limit"
  | "aggregated_amount_limit"
  | "entry_amount_limit"
  | "entry_aggregated_amount_limit"
  | "subtotal_amount"
  | "total_amount";

/** What was applied to the base. */
export interface Rate {
  /**
   * `share`: a line's part of one amount for all lines; `units`: so many units free; `replacement`: what the
   * replaced units were worth; `points`: so many points.
   */
  readonly kind: "amount" | "percent" | "fixed" | "share" | "units" | "replacement" | "points";
  /** Bundles multiplied in. */
  readonly value: number;
  readonly bundles: number;
  /** Where the value comes from: a formula, or the static field that also counts where a formula gives nothing. */
  readonly source: "static" | "formula" | "entry_price" | "entry_price_formula";
}

/** Which units of a line an item-level discount may touch, and what kept the others out (discounts.md §5). */
export interface LineStep {
  readonly line: number;
  /** Why the line takes no part; null when it does. */
  readonly left_out: LeftOut | null;
  /** The entry of `applicable_to` it belongs to; null for the rest that `included_all` takes. */
  readonly entry: Pick<ItemRef, "object" | "id" | "source_id"> | null;
  /** Units on the positions that count, before any limit. */
  readonly counted: number;
  /** The limits that held units back, with what they left. */
  readonly limits: readonly { readonly name: UnitLimit; readonly left: number }[];
  readonly units: number;
}

/** In the order of the checks. `discounted_before`: products mode ONCE. */
export type LeftOut = "discounted_before" | "no_units" | "no_amount" | "excluded" | "not_included";

export type UnitLimit = "quantity_limit" | "aggregated_quantity_limit" | "unit_budget";

/** Told each step when an explanation is wanted. Null: then no step is even built. */
export type Trace = { amount(step: AmountStep): void; line(step: LineStep): void } | null;

/** The part of a step that is known where an amount is worked out, before limits. */
export type How = Pick<AmountStep, "rate" | "exact">;

/** Where a value comes from that has a formula, or has none. */
export const sourceOf = (computed: boolean): Rate["source"] => (computed ? "formula" : "static");
