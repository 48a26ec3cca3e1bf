import type { StackingRules } from "@guerdon/engine";

/** The lists of categories that stacking rules have (redemption.md §5.1). */
const lists = [
  "exclusive_categories",
  "joint_categories",
  "initial_amount_mode_categories",
  "discounted_amount_mode_categories",
  "no_effect_skip_categories",
  "no_effect_redeem_anyway_categories",
] as const;

export const namesCategory = (rules: StackingRules, id: string): boolean =>
  id in rules.applicable_redeemables_category_limits || lists.some((list) => rules[list].includes(id));

export function withoutCategory(rules: StackingRules, id: string): StackingRules {
  const { [id]: _gone, ...limits } = rules.applicable_redeemables_category_limits;
  const left = Object.fromEntries(lists.map((list) => [list, rules[list].filter((one) => one !== id)]));
  return { ...rules, ...left, applicable_redeemables_category_limits: limits };
}
