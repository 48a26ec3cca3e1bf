import type { Instant } from "../../platform/clock.js";

/** A validation rule as stored (rules.md §1). What is unknown here is checked by compiling it. */
export interface ValidationRuleRow {
  id: string;
  name: string;
  rules: Record<string, unknown>;
  bundle_rules: Record<string, unknown> | null;
  applicable_to: Record<string, unknown>;
  error: { message?: string } | null;
  type: string;
  context_type: string;
  created_at: Instant;
  updated_at: Instant | null;
}

/** What a rule may be attached to (rules.md §10). */
export const assignable = [
  "voucher",
  "campaign",
  "promotion_tier",
  "earning_rule",
  "distribution",
  "reward_assignment",
] as const;
export type Assignable = (typeof assignable)[number];

export interface Assignment {
  id: string;
  rule_id: string;
  related_object_id: string;
  related_object_type: Assignable;
  created_at: Instant;
}

const discounts = [
  "apply_to_order",
  "apply_to_items",
  "apply_to_items_proportionally",
  "apply_to_items_proportionally_by_quantity",
  "apply_to_items_by_quantity",
  "fixed.apply_to_items",
  "percent.apply_to_items",
];
const withDiscounts = (context: string) => [context, ...discounts.map((discount) => `${context}.discount.${discount}`)];
const withGifts = (context: string) => [context, `${context}.gift.apply_to_order`, `${context}.gift.apply_to_items`];

/** Tells an editor which rules to offer; the engine takes every rule everywhere (rules.md §11). */
export const context_types: readonly string[] = [
  "global",
  ...[
    "order.paid",
    "custom_event",
    "customer.segment.entered",
    ...["joined", "left", "upgraded", "downgraded", "prolonged"].map((change) => `customer.tier.${change}`),
  ].map((event) => `earning_rule.${event}`),
  ...[
    "campaign.discount_coupons",
    "campaign.referral_program",
    "campaign.promotion",
    "voucher.discount_voucher",
  ].flatMap(withDiscounts),
  ...["campaign.gift_vouchers", "voucher.gift_voucher"].flatMap(withGifts),
  "campaign.loyalty_program",
  "voucher.loyalty_card",
  ...["custom_event", "order.paid", "order.created", "order.canceled", "order.updated"].map(
    (event) => `distribution.${event}`,
  ),
  "reward_assignment.pay_with_points",
];
