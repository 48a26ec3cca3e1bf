import type { LineLimit } from "./limits.js";

/** How one amount came about: part of an explanation, made on demand only. Money in minor units. */
export interface AmountStep {
  /** Index of the line; null for an order-level discount. */
  readonly line: number | null;
  /** What the rate was applied to. */
  readonly base: number;
  /** Discounted units of the line's units. */
  readonly units: { readonly discounted: number; readonly of: number } | null;
  readonly rate: { readonly kind: "amount" | "percent" | "fixed" | "share" | "units"; readonly value: number };
  /** Before rounding, as a decimal number of minor units: `3644.55`. */
  readonly exact: string;
  /** After rounding, before any limit. */
  readonly wanted: number;
  /** The limits that held something back, with what they left. */
  readonly limits: readonly { readonly name: LineLimit; readonly left: number }[];
  readonly amount: number;
}

/** Called with each step when an explanation is wanted; null costs nothing. */
export type TraceAmount = ((step: AmountStep) => void) | null;
