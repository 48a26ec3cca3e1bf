import type { Decimal } from "decimal.js";
import type { CustomerFacts, Instant } from "../facts.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";
import type { Work } from "../work.js";

/**
 * What a formula may look at (discounts.md §10). The raw facts, not the operands: turning money
 * into major units and missing things into null is the language's part.
 */
export interface FormulaOperands {
  readonly instant: Instant;
  readonly time_zone: string;
  readonly customer: CustomerFacts | null;
  /** As the redeemables before this one have left it. */
  readonly order: RunningOrder | null;
  /** The line at hand; null with order-level effects, where line operands are null. */
  readonly line: OrderLine | null;
  readonly redeemable_metadata: Readonly<Record<string, unknown>>;
  readonly redemption_metadata: Readonly<Record<string, unknown>>;
  readonly publication_metadata: Readonly<Record<string, unknown>>;
  readonly voucher: VoucherOperands | null;
  readonly promotion_tier: { readonly start_date: Instant | null; readonly expiration_date: Instant | null } | null;
  /** Complete bundles in the order; null when no rule defines a bundle. */
  readonly bundle_quantity: number | null;
  /** Counts what evaluating does; absent: nobody bounds it. */
  readonly work?: Work;
}

interface VoucherOperands {
  readonly redemption_quantity: number | null;
  readonly redeemed_quantity: number;
  readonly publish_count: number;
  readonly start_date: Instant | null;
  readonly expiration_date: Instant | null;
}

/** A parsed formula. */
export interface Formula {
  readonly text: string;
  /** It reads the line at hand, so its value differs from line to line. */
  readonly reads_line: boolean;
  /** It reads metadata of the publication, which nobody looks up for formulas that do not. */
  readonly reads_publication: boolean;
  /**
   * Null: no number came out and the static field counts. Money is in major units here; the caller
   * multiplies by 100. May be negative; the caller raises it to 0.
   */
  evaluate(operands: FormulaOperands): Decimal | null;
}

/** Where a formula text stops making sense; `position` counts characters from 0. */
export interface FormulaFault {
  readonly problem: string;
  readonly position: number;
}

export type ParseFormula = (text: string) => { formula: Formula } | { fault: FormulaFault };
