import type { WindowRefusal } from "../calendar/window.js";
import type { BundleCount } from "../discounts/bundle.js";
import type { AmountStep, LineStep } from "../discounts/trace.js";
import type { RuleNode } from "../rules/contract.js";
import type { SkipReason } from "../stacking/stacking.js";
import type { ExistingFacts } from "./facts.js";

/**
 * Why a redeemable got its outcome: every check it came to, in order, which lines and units its discount
 * could touch, and how each amount came about.
 */
export interface Explanation {
  readonly checks: readonly CheckStep[];
  /** Empty with order-level effects, which look at no line. */
  readonly lines: readonly LineStep[];
  readonly amounts: readonly AmountStep[];
}

/**
 * One check with what it saw. `lacking` says how much was missing for it to hold, in the unit of the
 * values beside it; 0 when it holds.
 */
export type CheckStep =
  /** What must be so, or must have been sent; `preceding`: nothing before was inapplicable, in mode ALL. */
  | {
      readonly check:
        | "preceding"
        | "exclusion"
        | "exists"
        | "reward"
        | "enabled"
        | "holder"
        | "referrer"
        | "order"
        | "amount"
        | "items_amount"
        | "supply";
      readonly holds: boolean;
    }
  | {
      readonly check: "limit";
      readonly holds: boolean;
      readonly reason: SkipReason;
      readonly used: number;
      readonly limit: number;
      readonly lacking: number;
    }
  | {
      readonly check: "window";
      readonly holds: boolean;
      readonly owner: ExistingFacts["object"] | "campaign";
      readonly refusal: WindowRefusal | null;
      /** Milliseconds until the start, or since the end; null where the refusal has no such date. */
      readonly lacking: number | null;
    }
  | {
      readonly check: "quantity";
      readonly holds: boolean;
      readonly quantity: number | null;
      readonly redeemed: number;
      readonly held: number;
      readonly lacking: number;
    }
  | {
      readonly check: "rules";
      readonly holds: boolean;
      readonly rule_id: string;
      readonly when: "before_discount" | "after_discount";
      readonly node: RuleNode;
    }
  | { readonly check: "bundle"; readonly holds: boolean; readonly rule_id: string; readonly bundle: BundleCount }
  | {
      readonly check: "credits" | "points";
      readonly holds: boolean;
      readonly requested: number | null;
      readonly available: number;
      readonly lacking: number;
    }
  | {
      readonly check: "stock";
      readonly holds: boolean;
      readonly stock: number;
      readonly redeemed: number;
      readonly lacking: number;
    }
  | { readonly check: "effect"; readonly holds: boolean };

/** Collects the steps of one redeemable. Null where no explanation is wanted: then no step is even built. */
export type Explain = {
  check(step: CheckStep): void;
  line(step: LineStep): void;
  amount(step: AmountStep): void;
} | null;
