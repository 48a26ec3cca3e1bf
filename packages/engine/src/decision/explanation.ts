import type { WindowRefusal } from "../calendar/window.js";
import type { BundleCount } from "../discounts/bundle.js";
import type { AmountStep } from "../discounts/trace.js";
import type { RuleNode } from "../rules/contract.js";
import type { SkipReason } from "../stacking/stacking.js";

/** Why a redeemable got its outcome: every check it came to, in order, and how each amount came about. */
export interface Explanation {
  readonly checks: readonly CheckStep[];
  readonly amounts: readonly AmountStep[];
}

/**
 * One check with what it saw. `lacking` says how much was missing for it to hold, in the unit of the
 * values beside it; 0 when it holds.
 */
export type CheckStep =
  | { readonly check: "exists" | "reward" | "enabled" | "holder" | "referrer"; readonly holds: boolean }
  | { readonly check: "exclusion"; readonly holds: boolean }
  | {
      readonly check: "limit";
      readonly holds: boolean;
      readonly reason: SkipReason;
      readonly used: number;
      readonly limit: number;
    }
  | {
      readonly check: "window";
      readonly holds: boolean;
      readonly owner: "voucher" | "promotion_tier" | "campaign";
      readonly refusal: WindowRefusal | null;
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
export type Explain = { check(step: CheckStep): void; amount(step: AmountStep): void } | null;
