import { compileRule, type RuleSource, type ValidationRule } from "@guerdon/engine";
import { shelf } from "../../catalogue/index.js";
import { ruleTextsAfter, ruleTextsOfIds } from "./validation-rule.store.js";

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
  compile: (id, [rules, bundle_rules, applicable_to, error]) =>
    compiledOrNever({ id, rules, bundle_rules, applicable_to, error }),
});

/** What stands in for a rule that does not compile, which only another version can have stored: it never holds. */
const never = { rules: { "1": { name: "order.initial_amount", conditions: { $less_than: [-1] } }, logic: "1" } };

function compiledOrNever(source: RuleSource): ValidationRule {
  for (const one of [source, { ...never, id: source.id }]) {
    const compiled = compileRule(one);
    if ("rule" in compiled) return compiled.rule;
  }
  throw new Error("the rule that never holds compiles");
}

export const shelves = [ruleShelf];
