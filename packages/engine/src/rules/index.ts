export { writtenEntries } from "./applicable-to.js";
export type { MetadataOwner } from "./catalogue/index.js";
export { RULE_NAMES } from "./catalogue/index.js";
export * from "./filters/index.js";
export { OPERATORS } from "./operator-names.js";
export { compileRule, faultOfSentRule, type ValidationRule } from "./rule.js";
export type { ValueType } from "./scalars.js";
export { RULE_LIMITS, type RuleEnvironment, type RuleFault, type RuleSource } from "./source.js";
