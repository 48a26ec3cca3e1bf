import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { NotYours } from "../../api/answer.js";
import { type Project, useProject } from "../../api/project.js";
import { Browse } from "../../parts/lists/browse.js";
import type { ListColumn } from "../../parts/lists/list.js";
import { t } from "../../text/index.js";
import { State } from "../../ui/page.js";
import { Frame } from "./frame.js";
import { SendOutStatus } from "./send-out-status.js";
import styles from "./webhooks.module.css";
import { type SendOutSearch, type Sent, sendOutsQuery, statuses, webhooksQuery } from "./webhooks.queries.js";

const words = t.send_outs;

/** What was sent to whom, and what became of it. */
export function SendOuts() {
  const project = useProject();
  const may = project.may("send-outs.read");
  const sent = useQuery({
    ...sendOutsQuery(project, useSearch({ strict: false }) as SendOutSearch),
    enabled: may,
  });
  const filters = useFilters();
  if (!may) return <NotYours what={words.title} />;
  return (
    <>
      <Frame />
      <Browse
        {...{
          list: "send-outs",
          columns: () => columnsOf(project),
          of: sent,
          what: words.title,
          filters,
          found: words.found,
        }}
        none={(is_narrowed) => (
          <State icon="webhook" title={is_narrowed ? words.none_match : words.none}>
            {is_narrowed ? null : words.none_lead}
          </State>
        )}
      />
    </>
  );
}

/** Webhooks are chosen by their addresses. */
function useFilters() {
  const project = useProject();
  const { data = [] } = useQuery({ ...webhooksQuery(project), enabled: project.may("webhooks.read") });
  const { webhook } = useSearch({ strict: false }) as SendOutSearch;
  const options = data.map(({ id, target_url }) => ({ value: id, label: target_url }));
  // One that was deleted, or an automation, is no less what the list is narrowed to.
  const is_known = webhook === undefined || options.some(({ value }) => value === webhook);
  return [
    {
      name: "status",
      label: words.status,
      options: statuses.map((value) => ({ value: value.toLowerCase(), label: words.statuses[value] })),
    },
    {
      name: "webhook",
      label: words.webhook,
      options: is_known ? options : [...options, { value: webhook, label: webhook }],
    },
    { name: "type", label: words.type },
  ];
}

const columnsOf = ({ id: project_id, dates, count }: Project): ListColumn<Sent>[] => [
  {
    id: "type",
    name: words.type,
    cell: ({ id, type, event }) => (
      <>
        <Link to={`/p/${project_id}/webhooks/send-outs/${id}`} className={styles.name}>
          <code>{type}</code>
        </Link>
        <small>{event.entity_id}</small>
      </>
    ),
  },
  {
    id: "status",
    name: words.status,
    cell: (one) => (
      <>
        <SendOutStatus of={one} />
        {one.last_error && <small className={styles.why}>{one.last_error}</small>}
      </>
    ),
  },
  {
    id: "to",
    name: words.to,
    cell: ({ source }) => (
      <>
        <span className={styles.address}>{source.target_url ?? source.id}</span>
        {source.object === "distribution" && <small>{words.by_automation}</small>}
      </>
    ),
  },
  { id: "happened", name: words.happened, cell: ({ event }) => <Moment at={event.created_at} shown={dates.moment} /> },
  {
    id: "tried",
    name: words.tried,
    cell: ({ executed_at }) => executed_at && <Moment at={executed_at} shown={dates.moment} />,
  },
  { id: "tries", name: words.tries, align: "right", cell: ({ attempts }) => count(attempts) },
];

const Moment = ({ at, shown }: { at: string; shown: (iso: string) => string }) => (
  <time dateTime={at} title={at}>
    {shown(at)}
  </time>
);
