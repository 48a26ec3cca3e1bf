import { oncePer, type StackingRules } from "@guerdon/engine";
import type { StackingRulesView } from "./answer.schemas.js";

/**
 * The stacking rules as decisions show them (redemption.md §5.1). The reference's shape demands a number for the limit a
 * category; without one the limit of them all is the same thing (docs/adr/0020).
 */
export const stackingRulesView = oncePer((rules: StackingRules): StackingRulesView => {
  const {
    applicable_redeemables_per_category_limit,
    applicable_exclusive_redeemables_per_category_limit,
    discount_calculation_mode,
    initial_amount_mode_categories,
    discounted_amount_mode_categories,
    ...shown
  } = rules;
  return {
    ...shown,
    applicable_redeemables_per_category_limit:
      applicable_redeemables_per_category_limit ?? rules.applicable_redeemables_limit,
  };
});
