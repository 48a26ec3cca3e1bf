import Type, { type Static } from "typebox";
import { dateTime, integer, listOf, named, nullable, oneOf, text } from "../../../platform/http/schema.js";

/** As many categories as a list of them names at most; each is looked for with every decision. */
const categories_max = 1000;

const categories = () => Type.Array(text({ minLength: 1 }), { maxItems: categories_max });
const limit = (maximum: number) => integer({ minimum: 1, maximum });

/** Every field with its bounds (redemption.md §5.1); those that are tied to each other are looked at together. */
const fields = {
  redeemables_limit: limit(30),
  applicable_redeemables_limit: limit(30),
  applicable_redeemables_per_category_limit: nullable(limit(30)),
  applicable_redeemables_category_limits: Type.Record(Type.String({ maxLength: 255 }), limit(10), {
    maxProperties: categories_max,
  }),
  applicable_exclusive_redeemables_limit: limit(5),
  applicable_exclusive_redeemables_per_category_limit: nullable(limit(5)),
  exclusive_categories: categories(),
  joint_categories: categories(),
  redeemables_application_mode: oneOf(["ALL", "PARTIAL"]),
  redeemables_sorting_rule: oneOf(["REQUESTED_ORDER", "CATEGORY_HIERARCHY"]),
  grouped_redeemables_sorting_rule: oneOf(["JOINT_ALWAYS_LAST", "SORTING_RULE"]),
  discount_calculation_mode: oneOf(["INITIAL_AMOUNT", "DISCOUNTED_AMOUNT"]),
  initial_amount_mode_categories: categories(),
  discounted_amount_mode_categories: categories(),
  redeemables_products_application_mode: oneOf(["STACK", "ONCE"]),
  redeemables_no_effect_rule: oneOf(["REDEEM_ANYWAY", "SKIP"]),
  no_effect_skip_categories: categories(),
  no_effect_redeem_anyway_categories: categories(),
  redeemables_rollback_order_mode: oneOf(["WITH_ORDER", "WITHOUT_ORDER"]),
};

/** What is left out is as it was, or as the defaults have it. */
export const StackingRulesInput = named("ProjectStackingRulesInput", Type.Partial(Type.Object(fields)));
export type StackingRulesInput = Static<typeof StackingRulesInput>;

/** Without `id` and dates where a project has none of its own. */
export const StackingRulesBody = named(
  "ProjectStackingRules",
  Type.Object({
    id: Type.Optional(Type.String()),
    ...fields,
    created_at: Type.Optional(dateTime()),
    updated_at: Type.Optional(dateTime()),
  }),
);
export type StackingRulesBody = Static<typeof StackingRulesBody>;

export const StackingRulesList = named("ProjectStackingRulesList", listOf("data", StackingRulesBody));

export const StackingRulesParams = Type.Object({ projectId: text(), stackingRulesId: text() });
