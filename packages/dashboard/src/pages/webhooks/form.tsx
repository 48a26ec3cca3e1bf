import { reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { chosenParts, fieldPart, type Part } from "../../parts/editing/clash.js";
import { useEditing } from "../../parts/editing/editing.js";
import { t } from "../../text/index.js";
import { FormDialog } from "../../ui/dialog.js";
import { Check, TextArea, TextField } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import { all_events, type EventGroup, event_groups, groups } from "./events.js";
import { headersIn, headersSent } from "./headers.js";
import styles from "./webhooks.module.css";
import { useWebhookDeeds, type Webhook, type WebhookEvent } from "./webhooks.queries.js";

const words = t.webhooks;

interface Typed {
  target_url: string;
  events: ReadonlySet<WebhookEvent>;
  active: boolean;
  /** New ones: those that are stored are shown to nobody. */
  headers: string;
  forget_headers: boolean;
}

const onOrOff = (is_on: boolean) => (is_on ? t.editing.on : t.editing.off);
const parts: readonly Part<Typed>[] = [
  fieldPart("target_url", words.address),
  fieldPart("active", words.active, onOrOff),
  ...chosenParts<Typed, "events", WebhookEvent>("events", all_events, ({ events }) => events, {
    chosen: onOrOff(true),
    not: onOrOff(false),
  }),
];

/** A new webhook, or everything that can be changed of one. */
export function WebhookForm({ of, onClose }: { of: Webhook | undefined; onClose: () => void }) {
  const { read, save } = useWebhookDeeds();
  const { form, set, sent, submit, is_saving, error, clash } = useEditing<Webhook, Typed, void>({
    of: of ?? null,
    formOf: (webhook) => ({
      target_url: webhook?.target_url ?? "",
      events: new Set(webhook?.events),
      active: webhook?.active ?? true,
      headers: "",
      forget_headers: false,
    }),
    read,
    parts: () => parts,
    write: (before, { target_url, events, active, headers, forget_headers }) =>
      save(before, {
        ...{ target_url: target_url.trim(), events: all_events.filter((one) => events.has(one)), active },
        ...headersSent(headers, forget_headers),
      }),
    onSaved: onClose,
  });
  const wrong = {
    target: /^https?:\/\/\S+$/.test(form.target_url.trim()) ? undefined : words.address_missing,
    events: form.events.size > 0 ? undefined : words.events_missing,
    headers: headersIn(form.headers) ? undefined : words.headers_wrong,
  };
  return (
    <>
      <FormDialog
        wide
        title={of ? words.edit_title : words.add}
        submit={of ? t.states.save : words.create}
        busy={is_saving}
        error={reasonIn(error)}
        onSubmit={() => submit(!wrong.target && !wrong.events && !wrong.headers)}
        onClose={onClose}
      >
        <TextField
          label={words.address}
          hint={words.address_hint}
          value={form.target_url}
          onChange={(target_url) => set({ target_url })}
          placeholder="https://"
          inputMode="url"
          mono
          error={sent ? wrong.target : undefined}
        />
        <Events chosen={form.events} onChange={(events) => set({ events })} error={sent ? wrong.events : undefined} />
        <Headers
          stored={of?.custom_header_names ?? []}
          form={form}
          set={set}
          error={sent ? wrong.headers : undefined}
        />
        <Check
          label={words.active}
          hint={words.active_hint}
          checked={form.active}
          onChange={(active) => set({ active })}
        />
      </FormDialog>
      {clash}
    </>
  );
}

interface HeadersProps {
  /** Their names. */
  stored: readonly string[];
  form: Typed;
  set: (typed: Partial<Typed>) => void;
  error?: string | undefined;
}

function Headers({ stored, form, set, error }: HeadersProps) {
  return (
    <>
      <TextArea
        label={words.headers}
        hint={stored.length > 0 ? words.headers_stored(stored.join(", ")) : words.headers_hint}
        value={form.headers}
        onChange={(headers) => set({ headers })}
        rows={2}
        mono
        error={error}
      />
      {stored.length > 0 && (
        <Check
          label={words.forget_headers}
          checked={form.forget_headers}
          onChange={(forget_headers) => set({ forget_headers })}
        />
      )}
    </>
  );
}

interface EventsProps {
  chosen: ReadonlySet<WebhookEvent>;
  onChange: (chosen: ReadonlySet<WebhookEvent>) => void;
  error?: string | undefined;
}

/** What it is told of, group by group: sixty-four in one list are found by nobody. */
function Events({ chosen, onChange, error }: EventsProps) {
  const { count } = useProject();
  const put = (events: readonly WebhookEvent[], is_chosen: boolean) =>
    onChange(new Set([...chosen].filter((one) => !events.includes(one)).concat(is_chosen ? events : [])));
  return (
    <fieldset className={styles.choice}>
      <legend>{words.events}</legend>
      {error && (
        <p className={styles.error} role="alert">
          <Icon name="alertCircle" size={14} />
          {error}
        </p>
      )}
      <Check
        label={words.all_events(count(all_events.length))}
        checked={chosen.size === all_events.length}
        onChange={(is_chosen) => put(all_events, is_chosen)}
      />
      {groups.map((group) => (
        <Group key={group} group={group} chosen={chosen} onChange={put} />
      ))}
    </fieldset>
  );
}

interface GroupProps {
  group: EventGroup;
  chosen: ReadonlySet<WebhookEvent>;
  onChange: (events: readonly WebhookEvent[], is_chosen: boolean) => void;
}

function Group({ group, chosen, onChange }: GroupProps) {
  const { count } = useProject();
  const events: readonly WebhookEvent[] = event_groups[group];
  const of_these = events.filter((one) => chosen.has(one)).length;
  return (
    <details className={styles.group}>
      <summary>
        <Icon name="chevronRight" size={16} />
        {words.groups[group]}
        <small data-some={of_these > 0 || undefined}>{words.events_of(count(of_these), count(events.length))}</small>
      </summary>
      <div>
        <Check
          label={words.whole_group}
          checked={of_these === events.length}
          onChange={(is_chosen) => onChange(events, is_chosen)}
        />
        {events.map((event) => (
          <Check
            key={event}
            label={event}
            checked={chosen.has(event)}
            onChange={(is_chosen) => onChange([event], is_chosen)}
          />
        ))}
      </div>
    </details>
  );
}
