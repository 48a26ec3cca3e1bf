import type { OrderInput } from "./orders/order.js";

/** Milliseconds since 1970-01-01T00:00Z. One instant serves a whole request (architecture.md §11). */
export type Instant = number;

/** When something is switched on (vouchers-and-campaigns.md §4). Local means the project's zone. */
export interface ActivityWindow {
  start_date: Instant | null;
  expiration_date: Instant | null;
  /** ISO 8601 durations; the clock starts at `start_date`. */
  validity_timeframe: { duration: string; interval: string } | null;
  /** 0 Sunday … 6 Saturday; null or empty means every day. */
  validity_day_of_week: readonly number[] | null;
  validity_hours: {
    daily: readonly { start_time: string; expiration_time: string; days_of_week?: readonly number[] | null }[];
  } | null;
}

export interface CategoryFacts {
  id: string;
  hierarchy: number;
}

/** A stored discount, as the API shows it (discounts.md §4). Money in minor units. */
export interface Discount {
  type: "AMOUNT" | "PERCENT" | "FIXED" | "UNIT";
  effect?: string | null;
  amount_off?: number | null;
  amount_off_formula?: string | null;
  percent_off?: number | null;
  percent_off_formula?: string | null;
  fixed_amount?: number | null;
  fixed_amount_formula?: string | null;
  amount_limit?: number | null;
  aggregated_amount_limit?: number | null;
  unit_off?: number | null;
  unit_off_formula?: string | null;
  unit_type?: string | null;
  units?: readonly {
    unit_off?: number | null;
    unit_off_formula?: string | null;
    unit_type?: string | null;
    effect?: string | null;
  }[];
}

export interface CustomerFacts {
  /** Null while the customer is only known from the request. */
  id: string | null;
  source_id: string | null;
  metadata: Record<string, unknown>;
  birthdate?: string | null;
  /** Ids of the segments that hold this customer at the instant. */
  segments: ReadonlySet<string>;
  loyalty_tiers: ReadonlySet<string>;
}

export interface StackingRules {
  redeemables_limit: number;
  applicable_redeemables_limit: number;
  applicable_redeemables_per_category_limit: number | null;
  applicable_redeemables_category_limits: Readonly<Record<string, number>>;
  applicable_exclusive_redeemables_limit: number;
  applicable_exclusive_redeemables_per_category_limit: number | null;
  exclusive_categories: readonly string[];
  joint_categories: readonly string[];
  redeemables_application_mode: "ALL" | "PARTIAL";
  redeemables_sorting_rule: "REQUESTED_ORDER" | "CATEGORY_HIERARCHY";
  grouped_redeemables_sorting_rule: "JOINT_ALWAYS_LAST" | "SORTING_RULE";
  discount_calculation_mode: "INITIAL_AMOUNT" | "DISCOUNTED_AMOUNT";
  initial_amount_mode_categories: readonly string[];
  discounted_amount_mode_categories: readonly string[];
  redeemables_products_application_mode: "STACK" | "ONCE";
  redeemables_no_effect_rule: "REDEEM_ANYWAY" | "SKIP";
  no_effect_skip_categories: readonly string[];
  no_effect_redeem_anyway_categories: readonly string[];
  redeemables_rollback_order_mode: "WITH_ORDER" | "WITHOUT_ORDER";
}

/** What everybody in a request shares. The order is the request's, laid over the stored one by the server. */
export interface RequestFacts {
  time_zone: string;
  stacking_rules: StackingRules;
  customer: CustomerFacts | null;
  order: OrderInput | null;
  /** Metadata of the request, which becomes the redemption's. */
  metadata: Record<string, unknown>;
}
