import type { DiscountInForce } from "../discounts/apply.js";
import type { BundleCount } from "../discounts/bundle.js";
import type { RunningOrder } from "../orders/order.js";
import type { OrderPart } from "../orders/part.js";
import type { ApplicableEntry, CounterRef, ItemRef } from "../rules/contract.js";
import type { SkipReason } from "../stacking/stacking.js";
import type { Explanation } from "./explanation.js";
import type { ExistingFacts, MissingFacts } from "./facts.js";
import type { Refusal } from "./refusal.js";

/** A redeemable as it is decided: a voucher, a tier (of a stack, too), or something unknown. */
export type DecidedRedeemable = ExistingFacts | MissingFacts;

/** What a request comes to. Money in minor units. */
export interface Decision {
  /** redemption.md §6: at least one APPLICABLE and, in mode ALL, nothing INAPPLICABLE. */
  readonly valid: boolean;
  /** In the order of computation, stacks expanded. */
  readonly outcomes: readonly Outcome[];
  /** Normalised, before any redeemable; null when the request has no order. */
  readonly order_before: RunningOrder | null;
  /** After all APPLICABLE redeemables. */
  readonly order: RunningOrder | null;
  /** What all of them did together: the "now" of the root order and of a parent redemption. */
  readonly applied: OrderPart;
}

export type Outcome = Applicable | Inapplicable | Skipped;

interface Decided {
  readonly redeemable: DecidedRedeemable;
  /** Only when it was asked for. */
  readonly explanation?: Explanation;
}

export interface Applicable extends Decided {
  readonly status: "APPLICABLE";
  /** The order after this redeemable; null when the request has none. */
  readonly order: RunningOrder | null;
  /** What this redeemable alone did. */
  readonly applied: OrderPart;
  readonly result: ResultValue;
  /** Present when a rule defines a bundle. */
  readonly bundle?: BundleCount;
  readonly applicable_to: readonly ResolvedItem[];
  readonly inapplicable_to: readonly ResolvedItem[];
  readonly increments: Increments;
  /** Only in scenarios that ask for it: what ties it to lines of the order. */
  readonly tie?: LineTie | null;
}

/** A discount that lines of the order get, or else a rule that wants products which are there (redemption.md §13.2). */
export type LineTie = "discounted" | "wanted";

export interface Inapplicable extends Decided {
  readonly status: "INAPPLICABLE";
  readonly refusal: Refusal;
  readonly bundle?: BundleCount;
}

export interface Skipped extends Decided {
  readonly status: "SKIPPED";
  readonly reason: SkipReason;
}

/** `result` of an APPLICABLE redeemable (discounts.md §3). Credits in minor units. */
export type ResultValue =
  | { readonly discount: DiscountInForce }
  | { readonly gift: { readonly balance: number; readonly credits: number } }
  | { readonly loyalty_card: { readonly points: number } };

/** What a successful redemption adds to balances and counters (redemption.md §9, rules.md §7). */
export interface Increments {
  /** Redemptions of the voucher or tier, of its campaign, of customer, key and user. */
  readonly redemptions: 1;
  readonly gift_credits: number;
  readonly points: number;
  /** How many of a reward the points are spent on; none where no reward is asked for. */
  readonly reward_units: number;
  /** The order before any discount, minor units. */
  readonly order_amount: number;
  readonly discount_amount: number;
  /** Units discounted or given, by line, for unit budgets; ids are null where they are not known. */
  readonly units: readonly {
    readonly index: number;
    readonly product_id: string | null;
    readonly product_source_id: string | null;
    readonly sku_id: string | null;
    readonly sku_source_id: string | null;
    readonly units: number;
  }[];
  /** Counters that the rules of this redeemable look at. */
  readonly counters: readonly CounterRef[];
}

/** An entry of `applicable_to` or `inapplicable_to` with the lines it meets (discounts.md §5). */
export interface ResolvedItem {
  readonly object: ItemRef["object"];
  readonly id: string | null;
  readonly source_id: string | null;
  readonly product_id: string | null;
  readonly product_source_id: string | null;
  readonly strict: boolean;
  /** The configured entry; null for an excluded item and for a cart item that a collection brought in. */
  readonly entry: ApplicableEntry | null;
  /** Lines from 0, in application order. */
  readonly order_item_indices: readonly number[];
  /** With `target: UNIT`: units from 1; left out in orders of more than 1000 units. */
  readonly order_item_units?: readonly {
    readonly index: number;
    readonly units?: readonly number[];
    readonly units_limit_exceeded?: true;
  }[];
}
