import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Answer, NotYours, refusalAt } from "../../api/answer.js";
import type { Campaign } from "../../api/campaign.js";
import { bodyOf } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { type Editing, useEditing } from "../../parts/editing/editing.js";
import { t } from "../../text/index.js";
import { Button, look } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { useFaultFocus } from "../../ui/fault-focus.js";
import { Check, TextArea, TextField } from "../../ui/field.js";
import { Card, Columns, Notice, PageHead, Stack } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import styles from "./campaigns.module.css";
import { campaignQuery } from "./campaigns.queries.js";
import { type EditForm, editChanges, editFaults, editForm, editParts } from "./edit-form.js";

const words = t.campaign_edit;

/** What can be changed of a campaign that is there; what its codes are worth stays. */
export function EditCampaign() {
  const project = useProject();
  const { campaign: id } = useParams({ strict: false }) as { campaign: string };
  const campaign = useQuery(campaignQuery(project, id));
  if (!project.may("campaigns.update")) return <NotYours what={t.campaigns.one} />;
  return (
    <Answer of={campaign} what={t.campaigns.one}>
      {(campaign) => <Fields key={campaign.id} of={campaign} />}
    </Answer>
  );
}

function Fields({ of: found }: { of: Campaign }) {
  const project = useProject();
  // As it was when this began, whatever is read anew meanwhile.
  const [of] = useState(found);
  const editing = useEditing(useCampaignEdits(of));
  const { form, sent, submit, is_saving, error, clash } = editing;
  const faults = editFaults(form);
  const refusal = refusalAt(error, refusable);
  const errorOf = (name: keyof EditForm) => {
    if (!sent) return undefined;
    return faults[name] ?? (sent[name] === form[name] ? refusal.at(sent_as[name] ?? "description") : undefined);
  };
  const fields = useFaultFocus(sent, error);
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit(Object.keys(faults).length === 0);
  };
  const back = `/p/${project.id}/campaigns/${of.id}`;
  return (
    <>
      <Crumbs to={back}>{of.name}</Crumbs>
      <PageHead title={<bdi>{words.title(of.name)}</bdi>} />
      <Columns>
        <form ref={fields} onSubmit={send} noValidate>
          <Stack>
            {refusal.above && <Notice>{refusal.above}</Notice>}
            <Described editing={editing} errorOf={errorOf} />
            <Runs editing={editing} errorOf={errorOf} />
            <footer className={styles.foot}>
              <Link {...look({})} to={back}>
                {t.states.cancel}
              </Link>
              <Button type="submit" kind="primary" busy={is_saving}>
                {t.states.save}
              </Button>
            </footer>
          </Stack>
        </form>
        <Card title={words.stays}>
          <Stack>
            <p>{words.stays_lead}</p>
            <p>{words.switch_lead}</p>
            {of.vouchers_count ? <p>{words.codes_follow(project.count(of.vouchers_count))}</p> : null}
          </Stack>
        </Card>
      </Columns>
      {clash}
    </>
  );
}

/** How the service calls what stands in a field. */
const sent_as = {
  description: "description",
  category: "category",
  start_date: "start_date",
  expiration_date: "expiration_date",
  weekdays: "validity_day_of_week",
  hours: "validity_hours",
  duration: "validity_timeframe",
  interval: "validity_timeframe",
  metadata: "metadata",
} as const satisfies Record<keyof EditForm, string>;
const refusable = [...new Set(Object.values(sent_as))];

function useCampaignEdits(of: Campaign) {
  const project = useProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { api, id } = project;
  const query = campaignQuery(project, of.id);
  return {
    of,
    formOf: (campaign: Campaign | null) => editForm(campaign ?? of, project),
    read: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    parts: editParts,
    write: async (before: Campaign | null, form: EditForm): Promise<Campaign> => {
      const params = { path: { campaignId: of.id } };
      const body = editChanges(editForm(before ?? of, project), form, project);
      return (await bodyOf(api.PUT("/v1/campaigns/{campaignId}", { params, body }))) as Campaign;
    },
    onSaved: async (campaign: Campaign) => {
      toast(words.saved(campaign.name));
      await queries.invalidateQueries({ queryKey: ["campaigns"] });
      await navigate({ to: `/p/${id}/campaigns/${campaign.id}` });
    },
  };
}

interface PartProps {
  editing: Editing<EditForm>;
  errorOf: (name: keyof EditForm) => string | undefined;
}

type TextName = Exclude<keyof EditForm, "weekdays">;

/** What a field of the form needs to be shown and changed. */
const bound = ({ editing: { form, set }, errorOf }: PartProps, name: TextName) => ({
  value: form[name],
  onChange: (value: string) => set({ [name]: value }),
  error: errorOf(name),
});

const Described = (props: PartProps) => (
  <Card title={t.campaigns.details}>
    <Stack>
      <TextArea label={t.wizard.description} optional {...bound(props, "description")} />
      <TextField label={t.campaigns.category} optional dir="auto" {...bound(props, "category")} />
      <TextArea label={words.metadata} rows={4} mono hint={t.products.metadata_hint} {...bound(props, "metadata")} />
    </Stack>
  </Card>
);

function Runs(props: PartProps) {
  const { fields } = useProject();
  const { form, set } = props.editing;
  const error = props.errorOf("weekdays");
  const choose = (day: string, is_chosen: boolean) =>
    set({ weekdays: new Set(words.days.filter((one) => (one === day ? is_chosen : form.weekdays.has(one)))) });
  return (
    <Card title={t.wizard.steps.runs} note={words.zone(fields.timezone)}>
      <Stack>
        <div className={styles.two}>
          <TextField label={words.starts} optional type="datetime-local" step={1} {...bound(props, "start_date")} />
          <TextField label={words.ends} optional type="datetime-local" step={1} {...bound(props, "expiration_date")} />
        </div>
        {error && <Notice>{error}</Notice>}
        <fieldset className={styles.weekdays}>
          <legend>{words.weekdays}</legend>
          {/* The week begins on Monday here, and on Sunday on the wire. */}
          {[...words.days.slice(1), ...words.days.slice(0, 1)].map((day) => (
            <Check key={day} label={day} checked={form.weekdays.has(day)} onChange={(is) => choose(day, is)} />
          ))}
          <p>{words.weekdays_hint}</p>
        </fieldset>
        <TextArea label={words.hours} optional mono rows={3} hint={words.hours_hint} {...bound(props, "hours")} />
        <div className={styles.two}>
          <TextField
            label={words.duration}
            optional
            mono
            hint={words.duration_hint}
            placeholder="PT1H"
            {...bound(props, "duration")}
          />
          <TextField
            label={words.interval}
            optional
            mono
            hint={words.interval_hint}
            placeholder="P2D"
            {...bound(props, "interval")}
          />
        </div>
      </Stack>
    </Card>
  );
}
