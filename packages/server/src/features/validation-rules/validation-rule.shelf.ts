import { compileRule, type RuleEnvironment, type RuleSource, type ValidationRule } from "@guerdon/engine";
import { type Catalogue, shelf } from "../../catalogue/index.js";
import { assignedTextsAfter, assignedTextsOfIds, ruleTextsAfter, ruleTextsOfIds } from "./validation-rule.store.js";

type Stored = [
  rules: RuleSource["rules"],
  bundle_rules: RuleSource["bundle_rules"],
  applicable_to: RuleSource["applicable_to"],
  error: RuleSource["error"],
];

/** Validation rules, compiled. */
export const ruleShelf = shelf<Stored, ValidationRule>({
  kind: "validation_rule",
  page: ruleTextsAfter,
  byIds: ruleTextsOfIds,
  compile: (id, [rules, bundle_rules, applicable_to, error], environment) =>
    compiledOrNever({ id, rules, bundle_rules, applicable_to, error }, environment),
});

/** What stands in for a rule that does not compile, which only another version can have stored: it never holds. */
const never = { rules: { "1": { name: "order.initial_amount", conditions: { $less_than: [-1] } }, logic: "1" } };

function compiledOrNever(source: RuleSource, environment: RuleEnvironment): ValidationRule {
  for (const one of [source, { ...never, id: source.id }]) {
    const compiled = compileRule(one, environment);
    if ("rule" in compiled) return compiled.rule;
  }
  throw new Error("the rule that never holds compiles");
}

/**
 * Ids of the rules of an object, by its id. Joined to the objects themselves they took PostgreSQL half of a first reading.
 */
const assignedShelf = shelf<string[], readonly string[]>({
  kind: "assigned_rules",
  follows: ["campaign", "promotion_tier", "reward_assignment"],
  page: assignedTextsAfter,
  byIds: assignedTextsOfIds,
  compile: (_id, rule_ids) => rule_ids,
});

/** What a campaign, a promotion tier or a reward's assignment is judged by, the oldest assignment first. */
export const assignedRules = (catalogue: Catalogue, object_id: string): readonly string[] =>
  catalogue.shelf(assignedShelf).get(object_id) ?? [];

export const shelves = [ruleShelf, assignedShelf];
