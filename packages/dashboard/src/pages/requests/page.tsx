import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Answer, reasonIn } from "../../api/answer.js";
import { bodyOf } from "../../api/client.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { FilterBar } from "../../ui/list/filter-bar.js";
import { Card, Notice, PageHead, State } from "../../ui/page.js";
import { toast } from "../../ui/toast.js";
import { Detail } from "./detail.js";
import { List } from "./list.js";
import styles from "./requests.module.css";
import { type Line, methods, type RequestSearch, requestsQuery } from "./requests.queries.js";
import { whoOf } from "./who.js";

const words = t.requests;
const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
const find = { name: "id", label: words.find };
const live_ms = 3_000;

/** What callers sent and were answered: a list, and beside it the one that was chosen, or the newest. */
export function Requests() {
  const project = useProject();
  const navigate = useNavigate();
  const { request: chosen } = useParams({ strict: false }) as { request?: string };
  const search = useSearch({ strict: false }) as RequestSearch;
  const [live, setLive] = useState(false);
  const requests = useInfiniteQuery({
    ...requestsQuery(project, search),
    refetchInterval: live ? live_ms : false,
  });
  const here = `/p/${project.id}/requests`;
  const go = ({ id, ...next }: RequestSearch & { id?: string | undefined }) =>
    void navigate({ to: id ? `${here}/${encodeURIComponent(id)}` : here, search: next as never });
  const rows = requests.data?.pages.flatMap(({ data }) => data) ?? [];
  const is_on = requests.data?.pages[0]?.request_log_enabled;
  const is_empty = rows.length === 0 && chosen === undefined;
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {is_on && (
          <Button icon={live ? "playerPause" : "playerPlay"} aria-pressed={live} onClick={() => setLive(!live)}>
            {words.live}
          </Button>
        )}
        {is_on && <Switch on={false} />}
      </PageHead>
      <FilterBar find={find} filters={filtersOf(rows, search.key, project.me)} values={search} onChange={go} />
      {is_on === false && rows.length > 0 && (
        <div className={styles.notice}>
          <Notice tone="info">
            {words.off_now} <Switch on={true} />
          </Notice>
        </div>
      )}
      <Card flush>
        <Answer of={requests} what={words.title}>
          {() =>
            is_empty ? (
              <None on={is_on === true} narrowed={Object.keys(search).length > 0} />
            ) : (
              <div className={styles.panes} data-chosen={chosen !== undefined || undefined}>
                <List of={requests} rows={rows} chosen={chosen ?? rows[0]?.id} search={search} />
                <Detail id={chosen ?? rows[0]?.id} rows={rows} search={search} />
              </div>
            )
          }
        </Answer>
      </Card>
    </>
  );
}

/** Whom one can narrow the list to: those that asked lately. */
function filtersOf(rows: readonly Line[], key: string | undefined, me: Parameters<typeof whoOf>[1]) {
  const keys = new Map(key === undefined ? [] : [[key, key]]);
  for (const { event_source } of rows) {
    const { api_key } = event_source as { api_key?: { app_id: string } };
    if (api_key) keys.set(api_key.app_id, whoOf(event_source, me));
  }
  return [
    { name: "time", label: words.time, options: optionsOf(words.times) },
    { name: "status", label: words.status, options: optionsOf(words.statuses) },
    { name: "method", label: words.method, options: methods.map((value) => ({ value, label: value })) },
    { name: "path", label: words.endpoint },
    ...(keys.size > 0 ? [{ name: "key", label: words.key, options: optionsOf(Object.fromEntries(keys)) }] : []),
  ];
}

function None({ on, narrowed }: { on: boolean; narrowed: boolean }) {
  const { may } = useProject();
  if (narrowed) return <State icon="terminal2" title={words.none_match} />;
  if (on)
    return (
      <State icon="terminal2" title={words.none}>
        {words.none_lead}
      </State>
    );
  return (
    <State icon="terminal2" title={words.off}>
      <span className={styles.why}>{words.off_lead}</span>
      {may("request-log.update") ? <Switch on={true} kind="primary" /> : <small>{words.who_turns_on}</small>}
    </State>
  );
}

/** Switches the log, and can be taken back as quickly. */
function Switch({ on, kind }: { on: boolean; kind?: "primary" }) {
  const { api, may } = useProject();
  const queries = useQueryClient();
  const set = useMutation({
    mutationFn: (request_log_enabled: boolean) =>
      bodyOf(api.PUT("/dashboard/v1/request-log", { body: { request_log_enabled } })),
    onSuccess: async (_answer, enabled) => {
      toast(enabled ? words.turned_on : words.turned_off, () => set.mutate(!enabled));
      await queries.invalidateQueries({ queryKey: ["requests", "list"] });
    },
  });
  if (!may("request-log.update")) return null;
  return (
    <>
      {set.error && <Notice>{reasonIn(set.error)}</Notice>}
      <Button
        kind={kind}
        size={kind ? "normal" : on ? "small" : "normal"}
        busy={set.isPending}
        onClick={() => set.mutate(on)}
      >
        {on ? words.turn_on : words.turn_off}
      </Button>
    </>
  );
}
