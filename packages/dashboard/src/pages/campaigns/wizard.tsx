import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { NotYours, reasonIn } from "../../api/answer.js";
import { bodyOf, Refused } from "../../api/client.js";
import { dayEnd, dayStart } from "../../api/days.js";
import { type Project, useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { useFaultFocus } from "../../ui/fault-focus.js";
import { Icon } from "../../ui/icon.js";
import { Card, Facts, Notice, PageHead, Stack } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import styles from "./wizard.module.css";
import {
  campaignOf,
  empty_form,
  type Form,
  faultsIn,
  isGeneric,
  type Kind,
  ruleOf,
  type Step,
  steps,
} from "./wizard-form.js";
import { useChosenRule } from "./wizard-rule.js";
import { DetailsStep, GivesStep, givesOf, RunsStep, sentenceOf } from "./wizard-steps.js";

const words = t.wizard;

/** Makes a campaign of coupons or gift cards, step by step. A step checks itself when it is left. */
export const Wizard = () => (useProject().may("campaigns.create") ? <Steps /> : <NotYours what={t.campaigns.add} />);

function Steps() {
  const project = useProject();
  const navigate = useNavigate();
  const { kind: named } = useParams({ strict: false }) as { kind: string };
  const kind: Kind = named === "gift-cards" ? "gift-cards" : "coupons";
  const [form, setForm] = useState<Form>(() => ({ ...empty_form, limit: "" }));
  const [step, setStep] = useState<Step>("details");
  // Set while what is wrong is shown, and another each time somebody wants to go on.
  const [asked, setAsked] = useState<object | null>(null);
  const create = useCreate(kind, form, project);
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
      />
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
      </div>
    </>
  );
}

/** Rule, campaign and code one after the other; what was made is not made again when the rest is tried once more. */
function useCreate(kind: Kind, form: Form, project: Project) {
  const { api } = project;
  const queries = useQueryClient();
  const made = useRef<{ rule?: { id: string; of: string }; campaign?: { id: string; of: string } }>({});
  return useMutation({
    mutationFn: async (): Promise<string> => {
      const path = { code: form.code.trim() };
      if (isGeneric(kind, form) && (await isTaken(project, path.code))) throw new Error(words.code_taken(path.code));
      const rule = ruleOf(kind, form, project);
      const of = JSON.stringify(rule);
      if (rule && made.current.rule?.of !== of) {
        const { id } = (await bodyOf(api.POST("/v1/validation-rules", { body: rule }))) as { id: string };
        made.current.rule = { id, of };
      }
      const rule_id = rule ? (made.current.rule?.id ?? null) : form.rule || null;
      const body = campaignOf(kind, form, project, rule_id);
      const campaign_of = JSON.stringify(body);
      const before = made.current.campaign;
      if (before && before.of !== campaign_of) {
        // Made by an attempt that got no further, and no longer what is wanted.
        await bodyOf(api.DELETE("/v1/campaigns/{campaignId}", { params: { path: { campaignId: before.id } } }));
        delete made.current.campaign;
      }
      if (!made.current.campaign) {
        const { id } = (await bodyOf(api.POST("/v1/campaigns", { body }))) as { id: string };
        made.current.campaign = { id, of: campaign_of };
      }
      const campaign_id = made.current.campaign.id;
      if (isGeneric(kind, form)) {
        const quantity = form.limit === "" ? null : Number(form.limit);
        const body = { campaign_id, redemption: { quantity } };
        await bodyOf(api.POST("/v1/vouchers/{code}", { params: { path }, body: body as never }));
      }
      return campaign_id;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["campaigns"] }),
  });
}

/** Asked before anything is made, so that nothing is left behind. */
async function isTaken({ api }: Project, code: string): Promise<boolean> {
  try {
    await bodyOf(api.GET("/v1/vouchers/{code}", { params: { path: { code } } }));
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return false;
    throw error;
  }
}

const hasFaults = (faults: object) => Object.keys(faults).length > 0;

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
