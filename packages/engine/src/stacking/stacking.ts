import type { CategoryFacts, StackingRules } from "../facts.js";

/** What the category of a redeemable makes it (redemption.md §2). */
type Eligibility = "EXCLUSIVE" | "JOINT" | "COMMON";

/** Why a redeemable is not even looked at, in the order of precedence (redemption.md §5.4). */
export type SkipReason =
  | "preceding_validation_failed"
  | "exclusion_rules_not_met"
  | "applicable_redeemables_limit_exceeded"
  | "applicable_exclusive_redeemables_limit_exceeded"
  | "applicable_exclusive_redeemables_per_category_limit_exceeded"
  | "applicable_redeemables_per_category_limit_exceeded"
  | "no_effect";

/** What applies to a project that has set nothing (redemption.md §5.1). */
export const DEFAULT_STACKING_RULES: StackingRules = {
  redeemables_limit: 30,
  applicable_redeemables_limit: 5,
  applicable_redeemables_per_category_limit: null,
  applicable_redeemables_category_limits: {},
  applicable_exclusive_redeemables_limit: 1,
  applicable_exclusive_redeemables_per_category_limit: null,
  exclusive_categories: [],
  joint_categories: [],
  redeemables_application_mode: "ALL",
  redeemables_sorting_rule: "REQUESTED_ORDER",
  grouped_redeemables_sorting_rule: "JOINT_ALWAYS_LAST",
  discount_calculation_mode: "DISCOUNTED_AMOUNT",
  initial_amount_mode_categories: [],
  discounted_amount_mode_categories: [],
  redeemables_products_application_mode: "STACK",
  redeemables_no_effect_rule: "REDEEM_ANYWAY",
  no_effect_skip_categories: [],
  no_effect_redeem_anyway_categories: [],
  redeemables_rollback_order_mode: "WITH_ORDER",
};

interface Categorised {
  readonly category: CategoryFacts | null;
}

export function eligibilityOf({ category }: Categorised, rules: StackingRules): Eligibility {
  if (category === null) return "COMMON";
  if (rules.exclusive_categories.includes(category.id)) return "EXCLUSIVE";
  return rules.joint_categories.includes(category.id) ? "JOINT" : "COMMON";
}

/** The order of computation (redemption.md §5.2). */
export function arrange<Redeemable extends Categorised>(
  requested: readonly Redeemable[],
  rules: StackingRules,
): Redeemable[] {
  const sorted = [...requested];
  // Array sorting is stable, so ties keep the request's sequence. No category comes after every category.
  if (rules.redeemables_sorting_rule === "CATEGORY_HIERARCHY") sorted.sort((a, b) => hierarchyOf(a) - hierarchyOf(b));
  const has_exclusive = sorted.some((redeemable) => eligibilityOf(redeemable, rules) === "EXCLUSIVE");
  if (!has_exclusive || rules.grouped_redeemables_sorting_rule !== "JOINT_ALWAYS_LAST") return sorted;
  const isJoint = (redeemable: Redeemable) => eligibilityOf(redeemable, rules) === "JOINT";
  return [...sorted.filter((redeemable) => !isJoint(redeemable)), ...sorted.filter(isJoint)];
}

const hierarchyOf = ({ category }: Categorised) => category?.hierarchy ?? Number.MAX_SAFE_INTEGER;

/** A limit of the stacking rules as it stood when a redeemable had its turn. */
interface LimitState {
  readonly reason: SkipReason;
  readonly used: number;
  readonly limit: number;
}

/** Counts what was applied; grows only with APPLICABLE results, in sorted order (redemption.md §5.4). */
export class AppliedCounts {
  private total = 0;
  private exclusive = 0;
  private readonly of_category = new Map<string, number>();
  private readonly exclusive_of_category = new Map<string, number>();

  constructor(private readonly rules: StackingRules) {}

  /** The limits that are set and concern a redeemable, in the order of precedence. */
  limitsOf(redeemable: Categorised): LimitState[] {
    const { rules } = this;
    const category = redeemable.category?.id;
    const states: LimitState[] = [];
    const add = (reason: SkipReason, used: number, limit: number | null) => {
      if (limit !== null) states.push({ reason, used, limit });
    };
    add("applicable_redeemables_limit_exceeded", this.total, rules.applicable_redeemables_limit);
    if (category === undefined) return states;
    if (eligibilityOf(redeemable, rules) === "EXCLUSIVE") {
      const of_category = this.exclusive_of_category.get(category) ?? 0;
      const { applicable_exclusive_redeemables_limit, applicable_exclusive_redeemables_per_category_limit } = rules;
      add("applicable_exclusive_redeemables_limit_exceeded", this.exclusive, applicable_exclusive_redeemables_limit);
      add(
        "applicable_exclusive_redeemables_per_category_limit_exceeded",
        of_category,
        applicable_exclusive_redeemables_per_category_limit,
      );
    }
    const used = this.of_category.get(category) ?? 0;
    add("applicable_redeemables_per_category_limit_exceeded", used, categoryLimit(category, rules));
    return states;
  }

  add(redeemable: Categorised): void {
    this.total += 1;
    const category = redeemable.category?.id;
    if (category === undefined) return;
    this.of_category.set(category, (this.of_category.get(category) ?? 0) + 1);
    if (eligibilityOf(redeemable, this.rules) !== "EXCLUSIVE") return;
    this.exclusive += 1;
    this.exclusive_of_category.set(category, (this.exclusive_of_category.get(category) ?? 0) + 1);
  }
}

/** The map wins over the general limit for the categories it names. */
function categoryLimit(category: string, rules: StackingRules): number | null {
  const { applicable_redeemables_category_limits: by_category, applicable_redeemables_per_category_limit } = rules;
  return by_category[category] ?? applicable_redeemables_per_category_limit;
}

/** Whether percentages of this redeemable are taken of the amounts before any discount (redemption.md §5.6). */
export function onInitialAmount({ category }: Categorised, rules: StackingRules): boolean {
  if (category !== null) {
    if (rules.initial_amount_mode_categories.includes(category.id)) return true;
    if (rules.discounted_amount_mode_categories.includes(category.id)) return false;
  }
  return rules.discount_calculation_mode === "INITIAL_AMOUNT";
}

/** Whether this redeemable is skipped when it would do nothing (redemption.md §5.5). */
export function skipsNoEffect({ category }: Categorised, rules: StackingRules): boolean {
  if (category !== null) {
    if (rules.no_effect_skip_categories.includes(category.id)) return true;
    if (rules.no_effect_redeem_anyway_categories.includes(category.id)) return false;
  }
  return rules.redeemables_no_effect_rule === "SKIP";
}
