import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/project.js";
import { type Rule, rulesQuery, useNameable } from "../../parts/rules/rules.queries.js";
import { sentenceOf } from "../../parts/rules/sentence.js";
import { t } from "../../text/index.js";
import { SelectField } from "../../ui/field.js";
import type { Form } from "./wizard-form.js";

const words = t.wizard;

/** The rules that may be chosen: the newest ones, as the list of rules begins with them. */
function useRules() {
  const project = useProject();
  const { data } = useQuery({ ...rulesQuery(project, {}), enabled: project.may("validation-rules.read") });
  return data?.data ?? [];
}

/** A rule that is there already instead of one for this campaign alone; not asked where there is none. */
export function RuleChoice({ value, onChange }: { value: string; onChange: (rule: string) => void }) {
  const rules = useRules();
  if (rules.length === 0) return null;
  return (
    <SelectField
      label={words.rule}
      optional
      hint={words.rule_hint}
      value={value}
      options={[{ value: "", label: words.no_rule }, ...rules.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={onChange}
    />
  );
}

interface Chosen {
  name: string;
  sentence: string;
  /** As it is sent to be tried. */
  rule: Pick<Rule, "name" | "rules">;
}

/** What the rule is called that was chosen, and what it says. */
export function useChosenRule({ rule: id }: Form): Chosen | undefined {
  const project = useProject();
  const { names } = useNameable();
  const rule = useRules().find((one) => one.id === id);
  if (!rule) return undefined;
  const { name, rules } = rule;
  return { name, sentence: sentenceOf(rules, project, names), rule: { name, rules } };
}
