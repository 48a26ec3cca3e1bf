import type { ReactNode } from "react";
import { discountWords } from "../../api/incentive.js";
import { minorOf } from "../../api/money.js";
import { type Project, useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Check, TextArea, TextField } from "../../ui/field.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { Card, Stack } from "../../ui/page.js";
import styles from "./wizard.module.css";
import { discountOf, type Faults, type Form, isGeneric, type Kind } from "./wizard-form.js";
import { RuleChoice, useChosenRule } from "./wizard-rule.js";

const words = t.wizard;

export interface StepProps {
  kind: Kind;
  form: Form;
  faults: Faults;
  set: (change: Partial<Form>) => void;
}

type TextName = { [Name in keyof Form]: Form[Name] extends string ? Name : never }[keyof Form];

/** What a field of the form needs to be shown and changed. */
const bound = ({ form, faults, set }: StepProps, name: TextName) => ({
  value: form[name],
  onChange: (value: string) => set({ [name]: value }),
  error: faults[name],
});

interface ChoicesProps<Value extends string> {
  name: string;
  legend: string;
  value: Value;
  options: readonly { value: Value; label: string; icon: IconName; hint?: string }[];
  onChange: (value: Value) => void;
}

/** One of a few, each with a picture. */
const Choices = <Value extends string>({ name, legend, value, options, onChange }: ChoicesProps<Value>) => (
  <div className={styles.kinds}>
    <fieldset>
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} checked={value === option.value} onChange={() => onChange(option.value)} />
          <Icon name={option.icon} size={20} />
          {option.label}
          {option.hint && <small>{option.hint}</small>}
        </label>
      ))}
    </fieldset>
  </div>
);

export function DetailsStep(props: StepProps) {
  const { kind, form, set } = props;
  return (
    <Card title={words.steps.details}>
      <Stack>
        <div className={styles.two}>
          <TextField label={t.campaigns.name} {...bound(props, "name")} />
          <TextField label={t.campaigns.category} optional {...bound(props, "category")} />
        </div>
        {kind === "coupons" && (
          <Choices
            name="codes"
            legend={words.codes}
            value={form.codes}
            options={[
              { value: "generic", label: words.generic, icon: "ticket", hint: words.generic_hint },
              { value: "bulk", label: words.bulk, icon: "stack2", hint: words.bulk_hint },
            ]}
            onChange={(codes) => set({ codes, limit: codes === "bulk" ? "1" : "" })}
          />
        )}
        <div className={styles.two}>
          {isGeneric(kind, form) ? (
            <TextField label={words.code} mono {...bound(props, "code")} />
          ) : (
            <>
              <TextField label={words.count} inputMode="numeric" {...bound(props, "count")} />
              <TextField label={words.pattern} mono hint={words.pattern_hint} {...bound(props, "pattern")} />
            </>
          )}
          <TextField
            label={words.limit}
            optional
            inputMode="numeric"
            placeholder={words.no_limit}
            {...bound(props, "limit")}
          />
        </div>
        <TextArea label={words.description} optional rows={2} {...bound(props, "description")} />
      </Stack>
    </Card>
  );
}

export function RunsStep(props: StepProps) {
  const { fields } = useProject();
  return (
    <Card title={words.steps.runs} note={words.zone(fields.timezone)}>
      <div className={styles.two}>
        <TextField label={words.start} type="date" optional {...bound(props, "start")} />
        <TextField label={words.end} type="date" optional {...bound(props, "end")} />
      </div>
    </Card>
  );
}

export function GivesStep(props: StepProps) {
  const { kind, form, set } = props;
  const { currency } = useProject();
  return (
    <>
      <Card title={words.what} note={words.cannot_change}>
        <Stack>
          {kind === "coupons" && (
            <Choices
              name="gives"
              legend={words.what}
              value={form.gives}
              options={[
                { value: "percent", label: words.kinds.percent, icon: "percentage" },
                { value: "amount", label: words.kinds.amount, icon: "tag" },
                { value: "fixed", label: words.kinds.fixed, icon: "equal" },
                { value: "shipping", label: words.kinds.shipping, icon: "truckDelivery" },
              ]}
              onChange={(gives) => set({ gives })}
            />
          )}
          <div className={styles.two}>
            {kind === "gift-cards" && (
              <TextField label={words.card_value} inputMode="decimal" unit={currency} {...bound(props, "amount")} />
            )}
            {kind === "coupons" && form.gives === "percent" && (
              <>
                <TextField label={words.percent} inputMode="decimal" unit="%" {...bound(props, "percent")} />
                <TextField
                  label={words.at_most}
                  optional
                  inputMode="decimal"
                  unit={currency}
                  {...bound(props, "at_most")}
                />
              </>
            )}
            {kind === "coupons" && (form.gives === "amount" || form.gives === "fixed") && (
              <TextField
                label={form.gives === "amount" ? words.amount : words.fixed}
                inputMode="decimal"
                unit={currency}
                {...bound(props, "amount")}
              />
            )}
          </div>
        </Stack>
      </Card>
      <WhenCard {...props} />
    </>
  );
}

/** When it applies: by a rule that is there already, or by one that is asked for here. */
function WhenCard(props: StepProps) {
  const { kind, form, set } = props;
  const project = useProject();
  const rule = useChosenRule(form);
  return (
    <Card title={words.when}>
      <Stack>
        <p className={styles.sentence} dir="auto">
          {sentenceOf(kind, form, project, rule?.sentence)}
        </p>
        <RuleChoice value={form.rule} onChange={(rule) => set({ rule })} />
        {form.rule === "" && (
          <>
            <div className={styles.two}>
              <TextField
                label={words.minimum}
                optional
                inputMode="decimal"
                unit={project.currency}
                {...bound(props, "minimum")}
              />
            </div>
            <Check label={words.once} hint={words.once_hint} checked={form.once} onChange={(once) => set({ once })} />
          </>
        )}
      </Stack>
    </Card>
  );
}

/** What customers get; dots while it cannot be read. */
export function givesOf(kind: Kind, form: Form, project: Project): string {
  const amount = minorOf(form.amount, project.digits);
  const discount = discountOf(form, project);
  if (kind === "gift-cards") return amount ? words.sentence_gift(project.money(amount)) : "…";
  return discount ? discountWords(discount, project) : "…";
}

/** What customers get and when, in one sentence; a rule that is there already has its own. */
export function sentenceOf(kind: Kind, form: Form, project: Project, rule?: string): string {
  const { digits, money } = project;
  const start = words.sentence_start(givesOf(kind, form, project));
  if (form.rule !== "") return `${start}. ${rule ?? "…"}`;
  const minimum = minorOf(form.minimum, digits);
  const parts: ReactNode[] = [
    start,
    minimum ? words.sentence_minimum(money(minimum)) : words.sentence_always,
    ...(form.once ? [words.sentence_once] : []),
  ];
  return `${parts.join(", ")}.`;
}
