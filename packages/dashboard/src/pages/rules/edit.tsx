import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Answer, NotYours, refusalAt } from "../../api/answer.js";
import { bodyOf, Refused } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { useEditing } from "../../parts/editing/editing.js";
import { type Nameable, type Rule, ruleQuery, useNameable } from "../../parts/rules/rules.queries.js";
import type { Names } from "../../parts/rules/sentence.js";
import { SentenceLine } from "../../parts/rules/sentence-line.js";
import { t } from "../../text/index.js";
import { Button, look } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { useFaultFocus } from "../../ui/fault-focus.js";
import { TextArea, TextField } from "../../ui/field.js";
import { Card, Columns, Notice, PageHead, Stack } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import { RuleBuilder } from "./builder.js";
import {
  empty_form,
  type RuleFaults,
  type RuleForm,
  ruleChanges,
  ruleFaults,
  ruleForm,
  ruleOf,
  ruleParts,
  rulesIn,
} from "./rule-form.js";
import { draftOf, type RuleRowFaults, rowsOf, treeOf } from "./rule-tree.js";
import styles from "./rules.module.css";
import { Tester } from "./tester.js";

const words = t.rules;

/** Makes a rule, with what it would say and do beside it. */
export const NewRule = () =>
  useProject().may("validation-rules.create") ? <RuleFields of={null} /> : <NotYours what={words.add} />;

/** Changes a rule, for all that use it at once. */
export function EditRule() {
  const project = useProject();
  const { rule: id } = useParams({ strict: false }) as { rule: string };
  const rule = useQuery(ruleQuery(project, id));
  if (!project.may("validation-rules.update")) return <NotYours what={words.one} />;
  return (
    <Answer of={rule} what={words.one}>
      {(rule) => <RuleFields key={rule.id} of={rule} />}
    </Answer>
  );
}

function RuleFields({ of: found }: { of: Rule | null }) {
  const project = useProject();
  const { nameable, names } = useNameable();
  // As it was when this began, whatever is read anew meanwhile.
  const [of] = useState(found);
  const back = `/p/${project.id}/rules${of ? `/${of.id}` : ""}`;
  const [before] = useState(() => (of ? ruleForm(of, project) : empty_form));
  const { form, set, sent, submit, is_saving, error, clash } = useEditing(useRuleEdits(of, before, names));
  const all = ruleFaults(form, before.json !== null || rowsOf(before.tree).length > 0, project);
  const refusal = refusalIn(error);
  const refused = {
    // What was refused is said until it is something else.
    name: sent?.name === form.name ? refusal.name : undefined,
    message: sent?.message === form.message ? refusal.message : undefined,
    ...(sent?.json === form.json && sent?.tree === form.tree && refusal.of_rules(form.json === null)),
  };
  const faults: RuleFaults = { ...refused, ...(sent ? all : {}) };
  const fields = useFaultFocus(sent, error);
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit(Object.keys(all).length === 0);
  };
  return (
    <>
      <Crumbs to={back}>{of ? of.name : words.title}</Crumbs>
      <PageHead title={of ? <bdi>{words.edit_title(of.name)}</bdi> : words.add} />
      <Columns>
        <form ref={fields} onSubmit={send} noValidate>
          <Stack>
            {refusal.above && <Notice>{refusal.above}</Notice>}
            {of?.assignments_count && (
              <Notice tone="warn">{words.used_now(project.count(of.assignments_count))}</Notice>
            )}
            <Named {...{ form, faults, set }} />
            <Conditions {...{ form, faults, set, nameable, names }} />
            {of && keepsMore(of) && <p className={styles.lead}>{words.beside}</p>}
            <footer className={styles.foot}>
              <Link {...look({})} to={back}>
                {t.states.cancel}
              </Link>
              <Button type="submit" kind="primary" busy={is_saving}>
                {of ? t.states.save : words.create}
              </Button>
            </footer>
          </Stack>
        </form>
        <Tester form={form} names={names} />
      </Columns>
      {clash}
    </>
  );
}

/** What it is called, and what shops are told. */
const Named = ({ form, faults, set }: Pick<PartProps, "form" | "faults" | "set">) => (
  <Card title={words.details}>
    <Stack>
      <TextField
        label={words.name}
        dir="auto"
        value={form.name}
        error={faults.name}
        onChange={(name) => set({ name })}
      />
      <TextField
        label={words.message}
        optional
        dir="auto"
        hint={words.message_hint}
        value={form.message}
        error={faults.message}
        onChange={(message) => set({ message })}
      />
    </Stack>
  </Card>
);

const keepsMore = ({ applicable_to: { included, excluded }, bundle_rules }: Rule) =>
  included.length + excluded.length + Object.keys(bundle_rules).length > 0;

/** A refusal where it belongs: the service names the condition that it means by its number. */
function refusalIn(error: Error | null) {
  const { at, above } = refusalAt(error, ["name", "error", "rules"]);
  const path = error instanceof Refused ? (error.path ?? "") : "";
  const details = error instanceof Refused ? error.details : undefined;
  const row = /^rules\.(\d+)\./.exec(path)?.[1];
  const is_of_rules = path.startsWith("rules") || at("rules") !== undefined;
  return {
    name: at("name"),
    message: at("error"),
    above: is_of_rules ? undefined : above,
    of_rules: (as_rows: boolean): Pick<RuleFaults, "rules" | "rows"> => {
      if (!is_of_rules) return {};
      if (!as_rows || row === undefined) return { rules: details };
      const rows: RuleRowFaults[] = Array.from({ length: Number(row) }, () => ({}));
      rows[Number(row) - 1] = details === undefined ? {} : { value: details };
      return { rows };
    },
  };
}

function useRuleEdits(of: Rule | null, empty: RuleForm, names: Names) {
  const project = useProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { api, id } = project;
  return {
    of,
    formOf: (rule: Rule | null) => (rule ? ruleForm(rule, project) : empty),
    read: ({ id }: Rule) => queries.fetchQuery({ ...ruleQuery(project, id), staleTime: 0 }),
    parts: () => ruleParts(project, names),
    write: (before: Rule | null, form: RuleForm): Promise<Rule> => {
      if (!before) return bodyOf(api.POST("/v1/validation-rules", { body: ruleOf(form, project) }));
      const params = { path: { validationRuleId: before.id } };
      return bodyOf(
        api.PUT("/v1/validation-rules/{validationRuleId}", { params, body: ruleChanges(before, form, project) }),
      );
    },
    onSaved: async (rule: Rule) => {
      queries.setQueryData(ruleQuery(project, rule.id).queryKey, rule);
      toast(words.saved(rule.name));
      await navigate({ to: `/p/${id}/rules/${rule.id}` });
      await queries.invalidateQueries({ queryKey: ["rules"] });
    },
  };
}

interface PartProps {
  form: RuleForm;
  faults: RuleFaults;
  set: (change: Partial<RuleForm>) => void;
  nameable: Nameable;
  names: Names;
}

/** The rule as a sentence always in sight, and below it what it is made of. */
function Conditions({ form, faults, set, nameable, names }: PartProps) {
  const project = useProject();
  const draft = form.json === null ? draftOf(form.tree, project) : rulesIn(form, project);
  return (
    <Card title={words.when} action={<Modes form={form} set={set} />}>
      <Stack>
        <div className={styles.kept}>{draft && <SentenceLine of={draft} names={names} />}</div>
        {form.json === null ? (
          <RuleBuilder
            tree={form.tree}
            faults={faults.rows ?? []}
            nameable={nameable}
            onChange={(tree) => set({ tree })}
          />
        ) : (
          <TextArea
            label={words.json}
            mono
            rows={14}
            value={form.json}
            error={faults.rules}
            onChange={(json) => set({ json })}
          />
        )}
        {form.json === null && faults.rules && <Notice>{faults.rules}</Notice>}
        {form.json === null && <p className={styles.lead}>{t.conditions.values_hint}</p>}
        {form.json !== null && draft && !treeOf(draft, project) && (
          <p className={styles.lead}>{t.conditions.json_only}</p>
        )}
      </Stack>
    </Card>
  );
}

/** From rows to JSON where they are complete; back where rows say the very same. */
function Modes({ form, set }: Pick<PartProps, "form" | "set">) {
  const project = useProject();
  const rules = rulesIn(form, project);
  if (form.json === null)
    return (
      rules && (
        <Button icon="code" kind="quiet" size="small" onClick={() => set({ json: JSON.stringify(rules, null, 2) })}>
          {t.conditions.as_json}
        </Button>
      )
    );
  const tree = rules && treeOf(rules, project);
  return (
    tree && (
      <Button kind="quiet" size="small" onClick={() => set({ json: null, tree })}>
        {t.conditions.as_rows}
      </Button>
    )
  );
}
