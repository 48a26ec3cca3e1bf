import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Answer, NotYours, reasonIn, refusalAt } from "../../api/answer.js";
import { bodyOf } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { useSettled } from "../../parts/conditions/settled.js";
import { useEditing } from "../../parts/editing/editing.js";
import { t } from "../../text/index.js";
import { Button, look } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { useFaultFocus } from "../../ui/fault-focus.js";
import { Radio, TextArea, TextField } from "../../ui/field.js";
import { Card, Columns, Notice, PageHead, Stack } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import { Conditions } from "./conditions.js";
import { FilterBuilder } from "./filter-builder.js";
import { type Filter, formOf } from "./filter-form.js";
import { Held } from "./held.js";
import {
  empty_form,
  filterIn,
  namesIn,
  type SegmentFaults,
  type SegmentForm,
  segmentChanges,
  segmentFaults,
  segmentForm,
  segmentOf,
  segmentParts,
} from "./segment-form.js";
import styles from "./segments.module.css";
import { namedQuery, type Segment, type segment_types, segmentQuery } from "./segments.queries.js";

const words = t.segments;

/** Makes a segment, with whom it would hold beside it. */
export const NewSegment = () =>
  useProject().may("segments.create") ? <SegmentFields of={null} /> : <NotYours what={words.add} />;

/** Changes what a segment is called and, where it may be, whom it holds. */
export function EditSegment() {
  const project = useProject();
  const { segment: id } = useParams({ strict: false }) as { segment: string };
  const segment = useQuery(segmentQuery(project, id));
  if (!project.may("segments.update")) return <NotYours what={words.one} />;
  return (
    <Answer of={segment} what={words.one}>
      {(segment) => <SegmentFields key={segment.id} of={segment} />}
    </Answer>
  );
}

function SegmentFields({ of: found }: { of: Segment | null }) {
  const project = useProject();
  // As it was when this began, whatever is read anew meanwhile.
  const [of] = useState(found);
  const back = `/p/${project.id}/segments${of ? `/${of.id}` : ""}`;
  const { form, set, sent, submit, is_saving, error, clash } = useEditing(useSegmentEdits(of));
  const all = segmentFaults(form, of === null, project);
  const refusal = refusalAt(error, ["name", "filter", "customers"]);
  const faults = {
    // What was refused is said until it is something else.
    name: sent?.name === form.name ? refusal.at("name") : undefined,
    filter: sent?.json === form.json && sent?.filter === form.filter ? refusal.at("filter") : undefined,
    customers: sent?.customers === form.customers ? refusal.at("customers") : undefined,
    ...(sent ? all : {}),
  };
  const fields = useFaultFocus(sent, error);
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit(Object.keys(all).length === 0);
  };
  const props = { form, faults, set };
  return (
    <>
      <Crumbs to={back}>{of ? of.name : words.title}</Crumbs>
      <PageHead title={of ? words.edit_title(of.name) : words.add} />
      <form ref={fields} onSubmit={send} noValidate>
        <Columns>
          <Stack>
            {refusal.above && <Notice>{refusal.above}</Notice>}
            <Card title={words.details}>
              <Stack>
                <TextField
                  label={words.name}
                  dir="auto"
                  value={form.name}
                  error={faults.name}
                  onChange={(name) => props.set({ name })}
                />
                {!of && <Types {...props} />}
              </Stack>
            </Card>
            {of && of.type !== "passive" ? <Stays of={of} /> : <Whom {...props} />}
            <footer className={styles.foot}>
              <Link {...look({})} to={back}>
                {t.states.cancel}
              </Link>
              <Button type="submit" kind="primary" busy={is_saving}>
                {of ? t.states.save : words.create}
              </Button>
            </footer>
          </Stack>
          {form.type === "static" ? (
            <Listed form={form} shown={of === null} />
          ) : (
            <Held filter={filterIn(form, project)} />
          )}
        </Columns>
      </form>
      {clash}
    </>
  );
}

/** Names are looked up first: the API passes over whom it does not know. */
function useSegmentEdits(of: Segment | null) {
  const project = useProject();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { api, id } = project;
  return {
    of,
    formOf: (segment: Segment | null) => (segment ? segmentForm(segment, project) : empty_form),
    read: ({ id }: Segment) => queries.fetchQuery({ ...segmentQuery(project, id), staleTime: 0 }),
    parts: () => segmentParts(project),
    write: async (before: Segment | null, form: SegmentForm): Promise<Segment> => {
      if (before) {
        const params = { path: { segmentId: before.id } };
        const body = segmentChanges(before, form, project);
        return bodyOf(api.PUT("/dashboard/v1/segments/{segmentId}", { params, body }));
      }
      const names = form.type === "static" ? namesIn(form) : [];
      const found = names.length > 0 ? await queries.fetchQuery(namedQuery(project, names)) : undefined;
      if (found && found.unknown.length > 0) throw new Error(words.unknown(found.unknown.join(", ")));
      const body = segmentOf(form, found?.customers.map(({ id }) => id) ?? [], project);
      return bodyOf(api.POST("/v1/segments", { body }));
    },
    onSaved: async (segment: Segment) => {
      queries.setQueryData(segmentQuery(project, segment.id).queryKey, segment);
      toast(words.saved(segment.name));
      await navigate({ to: `/p/${id}/segments/${segment.id}` });
      await queries.invalidateQueries({ queryKey: ["segments"] });
    },
  };
}

interface PartProps {
  form: SegmentForm;
  faults: SegmentFaults;
  set: (change: Partial<SegmentForm>) => void;
}

const Types = ({ form, set }: PartProps) => (
  <fieldset className={styles.types}>
    <legend className="visually-hidden">{words.type}</legend>
    {(["passive", "auto-update", "static"] satisfies (typeof segment_types)[number][]).map((type) => (
      <Radio
        key={type}
        name="type"
        label={words.types[type]}
        hint={words.type_hints[type]}
        checked={form.type === type}
        onChange={() => set({ type })}
      />
    ))}
  </fieldset>
);

/** What a segment holds by, where that is as it is. */
const Stays = ({ of: { type, filter } }: { of: Segment }) => (
  <Card title={type === "static" ? words.customers : words.conditions}>
    <Stack>
      {filter && <Conditions of={filter as Filter} />}
      <p className={styles.lead}>{type === "static" ? words.list_stays : words.filter_stays}</p>
    </Stack>
  </Card>
);

function Whom({ form, faults, set }: PartProps) {
  if (form.type === "static")
    return (
      <Card title={words.customers}>
        <TextArea
          label={words.customers}
          mono
          rows={6}
          hint={words.customers_hint}
          value={form.customers}
          error={faults.customers}
          onChange={(customers) => set({ customers })}
        />
      </Card>
    );
  return (
    <Card title={words.conditions} note={form.type === "auto-update" && words.type_hints["auto-update"]}>
      <Stack>
        {form.json === null ? (
          <FilterBuilder form={form.filter} faults={faults.rows ?? []} onChange={(filter) => set({ filter })} />
        ) : (
          <TextArea
            label={t.filter.json}
            mono
            rows={10}
            value={form.json}
            error={faults.filter}
            onChange={(json) => set({ json })}
          />
        )}
        {form.json === null && faults.filter && <Notice>{faults.filter}</Notice>}
        <Modes form={form} set={set} />
      </Stack>
    </Card>
  );
}

/** From rows to JSON always; back where rows say the very same. */
function Modes({ form, set }: Omit<PartProps, "faults">) {
  const project = useProject();
  const filter = filterIn(form, project);
  if (form.json === null)
    return (
      <p className={styles.lead}>
        {t.conditions.values_hint}{" "}
        {filter && (
          <Button kind="link" onClick={() => set({ json: JSON.stringify(filter, null, 2) })}>
            {t.conditions.as_json}
          </Button>
        )}
      </p>
    );
  const rows = filter && formOf(filter, project);
  if (!rows) return filter && <p className={styles.lead}>{t.conditions.json_only}</p>;
  return (
    <div>
      <Button kind="link" onClick={() => set({ json: null, filter: rows })}>
        {t.conditions.as_rows}
      </Button>
    </div>
  );
}

/** Whom the names are of that stand in the field. */
function Listed({ form, shown }: { form: SegmentForm; shown: boolean }) {
  const project = useProject();
  const names = useSettled(namesIn(form));
  const { data, error } = useQuery(namedQuery(project, names));
  if (!shown) return null;
  return (
    <Card title={t.filter.who}>
      <div role="status" className={styles.held}>
        {error && <Notice>{reasonIn(error)}</Notice>}
        <strong>{project.count(names.length > 0 ? (data?.customers.length ?? 0) : 0)}</strong>
        {names.length > 0 && data && (
          <>
            <p>{words.listed(project.count(data.customers.length))}</p>
            {data.unknown.length > 0 && <p className={styles.lead}>{words.unknown(data.unknown.join(", "))}</p>}
          </>
        )}
      </div>
    </Card>
  );
}
