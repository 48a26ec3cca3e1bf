import { useState } from "react";
import { reasonIn } from "../../api/answer.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { FormDialog } from "../../ui/dialog.js";
import { Check, TextField } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import { all_events, type EventGroup, event_groups, groups } from "./events.js";
import styles from "./webhooks.module.css";
import { useWebhookDeeds, type Webhook, type WebhookEvent } from "./webhooks.queries.js";

const words = t.webhooks;

/** A new webhook, or everything that can be changed of one. */
export function WebhookForm({ of, onClose }: { of: Webhook | undefined; onClose: () => void }) {
  const { create, change } = useWebhookDeeds();
  const [target_url, setTarget] = useState(of?.target_url ?? "");
  const [events, setEvents] = useState<ReadonlySet<WebhookEvent>>(new Set(of?.events));
  const [active, setActive] = useState(of?.active ?? true);
  const [asked, setAsked] = useState(false);
  const wrong = {
    target: /^https?:\/\/\S+$/.test(target_url.trim()) ? undefined : words.address_missing,
    events: events.size > 0 ? undefined : words.events_missing,
  };
  const submit = () => {
    setAsked(true);
    if (wrong.target ?? wrong.events) return;
    const body = { target_url: target_url.trim(), events: all_events.filter((one) => events.has(one)) };
    // Left out where it stays: to say it again would begin anew with what failed so far.
    const switched = active === of?.active ? {} : { active };
    if (of) change.mutate({ id: of.id, ...body, ...switched }, { onSuccess: onClose });
    else create.mutate({ ...body, active }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      wide
      title={of ? words.edit_title : words.add}
      submit={of ? t.states.save : words.create}
      busy={create.isPending || change.isPending}
      error={reasonIn(create.error ?? change.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={words.address}
        hint={words.address_hint}
        value={target_url}
        onChange={setTarget}
        placeholder="https://"
        inputMode="url"
        mono
        error={asked ? wrong.target : undefined}
      />
      <Events chosen={events} onChange={setEvents} error={asked ? wrong.events : undefined} />
      <Check label={words.active} hint={words.active_hint} checked={active} onChange={setActive} />
    </FormDialog>
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
