import type { StackingRules } from "@guerdon/engine";

/** The stacking rules as decisions show them: the unset per-category limits are left out (redemption.md §5.1). */
export function stackingRulesView(rules: StackingRules) {
  const {
    applicable_redeemables_per_category_limit,
    applicable_exclusive_redeemables_per_category_limit,
    discount_calculation_mode,
    initial_amount_mode_categories,
    discounted_amount_mode_categories,
    ...shown
  } = rules;
  return shown;
}
