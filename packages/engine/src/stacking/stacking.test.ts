import { describe, expect, test } from "vitest";
import { aTier, decided } from "../decision/decision.fixtures.js";
import { amountOff } from "../discounts/discounts.fixtures.js";
import type { StackingRules } from "../facts.js";
import { arrange, DEFAULT_STACKING_RULES, onInitialAmount, skipsNoEffect } from "./stacking.js";

const category = (id: string, hierarchy: number) => ({ id, hierarchy });

describe("the order of computation", () => {
  const redeemables = [
    { name: "joint 0", category: category("joint", 0) },
    { name: "none", category: null },
    { name: "exclusive 5", category: category("exclusive", 5) },
    { name: "joint 0 too", category: category("joint", 0) },
    { name: "exclusive 1", category: category("exclusive", 1) },
  ];
  const groups = { exclusive_categories: ["exclusive"], joint_categories: ["joint"] };
  test.each`
    rules                                                                           | names
    ${{ redeemables_sorting_rule: "REQUESTED_ORDER" }}                              | ${["joint 0", "none", "exclusive 5", "joint 0 too", "exclusive 1"]}
    ${{ redeemables_sorting_rule: "CATEGORY_HIERARCHY" }}                           | ${["joint 0", "joint 0 too", "exclusive 1", "exclusive 5", "none"]}
    ${{ redeemables_sorting_rule: "REQUESTED_ORDER", ...groups }}                   | ${["none", "exclusive 5", "exclusive 1", "joint 0", "joint 0 too"]}
    ${{ redeemables_sorting_rule: "CATEGORY_HIERARCHY", ...groups }}                | ${["exclusive 1", "exclusive 5", "none", "joint 0", "joint 0 too"]}
    ${{ ...groups, grouped_redeemables_sorting_rule: "SORTING_RULE" }}              | ${["joint 0", "none", "exclusive 5", "joint 0 too", "exclusive 1"]}
    ${{ joint_categories: ["joint"], redeemables_sorting_rule: "REQUESTED_ORDER" }} | ${["joint 0", "none", "exclusive 5", "joint 0 too", "exclusive 1"]}
  `("$rules", ({ rules, names }) => {
    expect(arrange(redeemables, { ...DEFAULT_STACKING_RULES, ...rules }).map(({ name }) => name)).toEqual(names);
  });
});

describe("rules that a category overrides", () => {
  const of = (id: string | null) => ({ category: id === null ? null : category(id, 0) });
  const rules: StackingRules = {
    ...DEFAULT_STACKING_RULES,
    initial_amount_mode_categories: ["initial"],
    discounted_amount_mode_categories: ["discounted"],
    no_effect_skip_categories: ["skip"],
    no_effect_redeem_anyway_categories: ["anyway"],
  };
  const initial: StackingRules = {
    ...rules,
    discount_calculation_mode: "INITIAL_AMOUNT",
    redeemables_no_effect_rule: "SKIP",
  };
  test.each`
    id              | by_default | by_initial
    ${"initial"}    | ${true}    | ${true}
    ${"discounted"} | ${false}   | ${false}
    ${null}         | ${false}   | ${true}
  `("calculation mode of $id", ({ id, by_default, by_initial }) => {
    expect([onInitialAmount(of(id), rules), onInitialAmount(of(id), initial)]).toEqual([by_default, by_initial]);
  });

  test.each`
    id          | by_default | by_skip
    ${"skip"}   | ${true}    | ${true}
    ${"anyway"} | ${false}   | ${false}
    ${null}     | ${false}   | ${true}
  `("no effect of $id", ({ id, by_default, by_skip }) => {
    expect([skipsNoEffect(of(id), rules), skipsNoEffect(of(id), initial)]).toEqual([by_default, by_skip]);
  });
});

test("a stack is its tiers in sequence; a tier's own category comes before the stack's, that before the campaign's", () => {
  const tier = (amount: number, id: string | null) =>
    aTier(amountOff(amount), { category: id === null ? null : category(id, 0) });
  const stack = {
    object: "promotion_stack" as const,
    id: "stack_1",
    category: category("A", 1),
    tiers: [tier(1, null), tier(2, "B"), tier(3, null)],
  };
  const decision = decided([stack], { amount: 100 }, {}, { applicable_redeemables_per_category_limit: 1 });
  expect(decision.outcomes.map(({ status }) => status)).toEqual(["APPLICABLE", "APPLICABLE", "SKIPPED"]);
});
