import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Answer, NotYours, reasonIn } from "../../api/answer.js";
import { dayEnd, dayStart } from "../../api/days.js";
import { type Project, useProject } from "../../api/project.js";
import { type DraftState, draftQuery, unsavedIn, useDraft } from "../../parts/drafts.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { useFaultFocus } from "../../ui/fault-focus.js";
import { Icon } from "../../ui/icon.js";
import { Card, Facts, Notice, PageHead, Stack } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import { useCreate } from "./create.js";
import styles from "./wizard.module.css";
import {
  type Form,
  faultsIn,
  isGeneric,
  type Kind,
  pageOf,
  type Step,
  steps,
  type Typed,
  typedOf,
} from "./wizard-form.js";
import { useChosenRule } from "./wizard-rule.js";
import { DetailsStep, GivesStep, givesOf, RunsStep, sentenceOf } from "./wizard-steps.js";
import { TryIt } from "./wizard-try.js";

const words = t.wizard;

/** Makes a campaign of coupons or gift cards, step by step. A step checks itself when it is left. */
export const Wizard = () => (useProject().may("campaigns.create") ? <Begun /> : <NotYours what={t.campaigns.add} />);

/** Begins anew, or where a draft had come to. */
function Begun() {
  const project = useProject();
  const { kind: named } = useParams({ strict: false }) as { kind: string };
  const kind: Kind = named === "gift-cards" ? "gift-cards" : "coupons";
  const { draft } = useSearch({ strict: false }) as { draft?: string };
  // As it was when this began: it gets one of its own by what is typed.
  const [id] = useState(draft);
  const [unsaved] = useState(() => unsavedIn<Typed>(project, pageOf(kind), id));
  const is_asked = id !== undefined && unsaved === undefined;
  const kept = useQuery({ ...draftQuery(project, id ?? ""), enabled: is_asked });
  if (!is_asked) return <Steps kind={kind} typed={typedOf(unsaved)} id={id} is_unsaved={unsaved !== undefined} />;
  return (
    <Answer of={kept} what={words.draft}>
      {(content) => (
        <>
          {content === null && <Notice tone="info">{words.draft_gone}</Notice>}
          <Steps kind={kind} typed={typedOf(content)} id={content === null ? undefined : id} is_unsaved={false} />
        </>
      )}
    </Answer>
  );
}

interface StepsProps {
  kind: Kind;
  typed: Typed;
  id: string | undefined;
  is_unsaved: boolean;
}

function Steps({ kind, typed, id, is_unsaved }: StepsProps) {
  const project = useProject();
  const navigate = useNavigate();
  const [form, setForm] = useState(typed.form);
  const [step, setStep] = useState(typed.step);
  const [request_name, setRequestName] = useState(typed.request_name);
  // Set while what is wrong is shown, and another each time somebody wants to go on.
  const [asked, setAsked] = useState<object | null>(null);
  const create = useCreate(kind, form, request_name, setRequestName);
  const draft = useDraft<Typed>({
    page: pageOf(kind),
    name: form.name.trim() || words.no_name,
    content: { form, step, request_name },
    ...{ id, is_unsaved },
    onMade: (draft) => void navigate({ to: ".", search: { draft } as never, replace: true }),
  });
  const fields = useFaultFocus(asked, create.error);
  const at = steps.indexOf(step);
  const faults = faultsIn(step, kind, form, project);
  // Backwards always; forwards only over what is right, and to what is not.
  const go = (next: Step) => {
    const wrong = steps.slice(at, steps.indexOf(next)).find((one) => hasFaults(faultsIn(one, kind, form, project)));
    setAsked(wrong === undefined ? null : { ...form });
    setStep(wrong ?? next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const next = steps[at + 1];
    if (next) go(next);
    else
      create.mutate(undefined, {
        onSuccess: async (campaign_id) => {
          toast(words.created(form.name.trim()));
          await draft.end();
          await navigate({ to: `/p/${project.id}/campaigns/${campaign_id}` });
        },
      });
  };
  const props = {
    kind,
    form,
    faults: asked ? faults : {},
    set: (change: Partial<Form>) => setForm({ ...form, ...change }),
  };
  return (
    <>
      <Crumbs to={`/p/${project.id}/campaigns`}>{t.campaigns.title}</Crumbs>
      <PageHead
        title={form.name.trim() || t.campaigns.add}
        lead={kind === "coupons" ? words.coupons : words.gift_cards}
      >
        <Kept state={draft.state} />
      </PageHead>
      <div className={styles.wizard}>
        <StepList step={step} kind={kind} form={form} onChoose={go} />
        <form ref={fields} onSubmit={submit} noValidate>
          <Stack>
            {create.error && <Notice>{reasonIn(create.error)}</Notice>}
            {step === "details" && <DetailsStep {...props} />}
            {step === "runs" && <RunsStep {...props} />}
            {step === "gives" && <GivesStep {...props} />}
            {step === "summary" && <Summary kind={kind} form={form} onEdit={go} />}
            <Foot at={at} busy={create.isPending} onBack={() => go(steps[at - 1] ?? "details")} />
          </Stack>
        </form>
        {kind === "coupons" && (step === "gives" || step === "summary") && <TryIt form={form} />}
      </div>
    </>
  );
}

const hasFaults = (faults: object) => Object.keys(faults).length > 0;

/** Whether what was typed is safe. */
function Kept({ state }: { state: DraftState }) {
  if (state.is === "failed")
    return (
      <Notice tone="warn">
        {words.draft_failed} {state.reason}
      </Notice>
    );
  return (
    <p className={styles.kept} role="status">
      {state.is === "saved" && words.draft_saved}
      {state.is === "saving" && words.draft_saving}
    </p>
  );
}

interface StepListProps {
  step: Step;
  kind: Kind;
  form: Form;
  onChoose: (step: Step) => void;
}

const Foot = ({ at, busy, onBack }: { at: number; busy: boolean; onBack: () => void }) => (
  <footer className={styles.foot}>
    {at > 0 ? (
      <Button icon="arrowLeft" onClick={onBack}>
        {words.back}
      </Button>
    ) : (
      <span />
    )}
    <Button type="submit" kind="primary" busy={busy}>
      {at === steps.length - 1 ? words.create : words.next}
    </Button>
  </footer>
);

const runsOf = ({ start, end }: Form, { dates, fields: { timezone } }: Project) =>
  dates.range(start ? dayStart(start, timezone) : null, end ? dayEnd(end, timezone) : null);

/** What a step has chosen, in a few words. */
function chosen(step: Step, kind: Kind, form: Form, project: Project): string {
  switch (step) {
    case "details":
      return isGeneric(kind, form) ? form.code : t.campaigns.codes_of(form.count);
    case "runs":
      return runsOf(form, project) || t.campaigns.always;
    case "gives":
      return givesOf(kind, form, project);
    default:
      return "";
  }
}

const StepList = ({ step, kind, form, onChoose }: StepListProps) => {
  const project = useProject();
  const at = steps.indexOf(step);
  return (
    <ol className={styles.steps}>
      {steps.map((one, i) => (
        <li key={one}>
          <button
            type="button"
            aria-current={one === step ? "step" : undefined}
            data-done={i < at || undefined}
            onClick={() => onChoose(one)}
          >
            <i aria-hidden="true">{i < at ? <Icon name="check" size={14} /> : i + 1}</i>
            {one === "gives" && kind === "gift-cards" ? words.gives_card : words.steps[one]}
            {i < at && <small>{chosen(one, kind, form, project)}</small>}
          </button>
        </li>
      ))}
    </ol>
  );
};

function Summary({ kind, form, onEdit }: { kind: Kind; form: Form; onEdit: (step: Step) => void }) {
  const project = useProject();
  const rule = useChosenRule(form);
  const edit = (step: Step) => (
    <Button kind="link" onClick={() => onEdit(step)} aria-label={words.edit(words.steps[step])}>
      {words.steps[step]}
    </Button>
  );
  return (
    <Card title={words.steps.summary}>
      <Stack>
        <p className={styles.sentence}>{sentenceOf(kind, form, project, rule?.sentence)}</p>
        <Facts
          of={[
            [t.campaigns.name, form.name],
            [t.campaigns.category, form.category],
            [
              words.codes,
              isGeneric(kind, form) ? <code key="code">{form.code}</code> : `${form.count} × ${form.pattern}`,
            ],
            [words.limit, form.limit || words.no_limit],
            [words.steps.runs, chosen("runs", kind, form, project)],
            [words.rule, rule && <bdi key="rule">{rule.name}</bdi>],
          ]}
        />
        <p>
          {words.change} {edit("details")} · {edit("runs")} · {edit("gives")}
        </p>
      </Stack>
    </Card>
  );
}
