import type { Schemas } from "../../api/client.js";
import type { Project } from "../../api/project.js";
import { objectIn } from "../../api/values.js";
import { fieldPart, type Part } from "../../parts/editing/clash.js";
import type { Rules } from "../../parts/rules/logic.js";
import type { Rule } from "../../parts/rules/rules.queries.js";
import { type Names, sentenceOf } from "../../parts/rules/sentence.js";
import { t } from "../../text/index.js";
import { faultsIn, newRow, type RuleGroup, type RuleRowFaults, rowsOf, rulesOf, treeOf } from "./rule-tree.js";

/** Everything that the page asks, as it was typed. */
export interface RuleForm {
  name: string;
  tree: RuleGroup;
  /** Null: conditions are edited as rows. */
  json: string | null;
  message: string;
}

export const empty_form: RuleForm = {
  name: "",
  tree: { key: 0, junction: "and", members: [newRow(1)] },
  json: null,
  message: "",
};

/** What stands in the form of a rule that is there. */
export function ruleForm({ name, rules, error }: Rule, project: Project): RuleForm {
  const tree = treeOf(rules, project);
  const message = typeof error?.message === "string" ? error.message : "";
  const { tree: none } = empty_form;
  return { name, message, ...(tree ? { tree, json: null } : { tree: none, json: JSON.stringify(rules, null, 2) }) };
}

/** The rules that the form says; null while it says none. */
export const rulesIn = ({ tree, json }: RuleForm, project: Project): Rules | null =>
  json === null ? rulesOf(tree, project) : objectIn(json);

/** What others may change of it meanwhile. */
export const ruleParts = (project: Project, names: Names): Part<RuleForm>[] => [
  fieldPart("name", t.rules.name),
  {
    name: "rules",
    label: t.rules.when,
    said: (form) => sentenceOf(rulesIn(form, project), project, names),
    is: (form) => JSON.stringify(rulesIn(form, project)),
    taken: (mine, { tree, json }) => ({ ...mine, tree, json }),
  },
  fieldPart("message", t.rules.message),
];

export interface RuleFaults {
  name?: string | undefined;
  message?: string | undefined;
  rules?: string | undefined;
  rows?: readonly RuleRowFaults[];
}

/** What is wrong with it, by field. A rule that had no condition may stay so: it may be about what a discount is for alone. */
export function ruleFaults(form: RuleForm, had_conditions: boolean, project: Project): RuleFaults {
  const faults: RuleFaults = {};
  if (form.name.trim() === "") faults.name = t.rules.name_missing;
  if (form.json !== null) {
    if (rulesIn(form, project) === null) faults.rules = t.conditions.json_bad;
    return faults;
  }
  if (had_conditions && rowsOf(form.tree).length === 0) faults.rules = t.conditions.missing.row;
  const rows = faultsIn(form.tree, project);
  if (rows.some((row) => Object.keys(row).length > 0)) faults.rows = rows;
  return faults;
}

/** The rule as the service makes it, or what can be tried of one that has no name yet. */
export const ruleOf = (form: RuleForm, project: Project): Schemas["ValidationRuleCreate"] => ({
  name: form.name.trim(),
  rules: rulesIn(form, project) ?? { logic: "" },
  ...(form.message.trim() && { error: { message: form.message.trim() } }),
});

/** What somebody has changed of a rule, and nothing else: what another person has saved meanwhile stays, and what no form shows. */
export function ruleChanges(before: Rule, form: RuleForm, project: Project): Schemas["ValidationRuleUpdate"] {
  const was = ruleForm(before, project);
  const name = form.name.trim();
  const message = form.message.trim();
  const rules = rulesIn(form, project);
  const is_other = JSON.stringify(rules) !== JSON.stringify(rulesIn(was, project));
  return {
    ...(name !== before.name && { name }),
    ...(message !== was.message.trim() && { error: message === "" ? null : { message } }),
    ...(rules && is_other && { rules }),
  };
}
