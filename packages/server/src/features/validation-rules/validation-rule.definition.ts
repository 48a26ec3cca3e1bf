import {
  compileRule,
  faultOfSentRule,
  type RuleEnvironment,
  type RuleSource,
  type ValidationRule,
} from "@guerdon/engine";
import { bounds, isNoLarger, largerThan } from "../../platform/bounds.js";
import { newId } from "../../platform/ids.js";
import { refusals } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import type { ValidationRuleRow } from "./validation-rule.js";
import type { ValidationRuleUpdate } from "./validation-rule.schemas.js";

/** A definition, compiled; refuses one that is no rule. `at` leads to it in the body. */
export function compiledOf(source: RuleSource, at = "", environment: RuleEnvironment = {}): ValidationRule {
  const { rules, bundle_rules, applicable_to } = source;
  const { rule_bytes_max } = bounds();
  if (!isNoLarger([rules, bundle_rules, applicable_to], rule_bytes_max)) {
    const details = `Rules, bundle rules and applicable_to together ${largerThan(rule_bytes_max)}`;
    throw refusals.invalidRule(details, `${at}rules`);
  }
  const compiled = compileRule(source, environment);
  if ("fault" in compiled) throw refusals.invalidRule(compiled.fault.details, at + compiled.fault.path);
  return compiled.rule;
}

/** Refuses what a caller sends of a definition; what of it is stored already was accepted once. `at` leads to it in the body. */
export function assertSentRight(sent: Pick<ValidationRuleUpdate, "bundle_rules" | "applicable_to">, at = ""): void {
  const fault = faultOfSentRule(sent);
  if (fault) throw refusals.invalidRule(fault.details, at + fault.path);
}

/** A rule that nobody has saved, compiled and refused as one that is. `at` leads to it in the body: `validation_rule.`. */
export function unsavedRule(
  { metadata_schemas }: Pick<Call, "metadata_schemas">,
  input: ValidationRuleUpdate,
  at: string,
): ValidationRule {
  const rule = compiledOf({ id: newId("val"), ...definitionOf(input) }, at, { metadata_type: metadata_schemas.typeOf });
  assertSentRight(input, at);
  return rule;
}

/** A definition as it is stored. */
export const definitionOf = ({ rules, bundle_rules, applicable_to, error }: ValidationRuleUpdate) => ({
  rules: rules ?? { logic: "" },
  bundle_rules: bundle_rules ?? null,
  applicable_to: applicable_to ?? {},
  error: messageOf(error),
});

/** The text of an editor for a violated rule. */
export function messageOf(error: { message?: string | null } | null | undefined): ValidationRuleRow["error"] {
  return error?.message ? { message: error.message } : null;
}
