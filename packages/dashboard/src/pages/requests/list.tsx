import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Project, useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Button } from "../../ui/button.js";
import { State } from "../../ui/page.js";
import styles from "./requests.module.css";
import type { Line, RequestSearch } from "./requests.queries.js";
import { toneOf, whoOf } from "./who.js";

const words = t.requests;

interface ListProps {
  of: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  rows: readonly Line[];
  chosen: string | undefined;
  search: RequestSearch;
}

/** Requests under the day that they came on. */
export function List({ of, rows, chosen, search }: ListProps) {
  const project = useProject();
  return (
    <nav className={styles.list} aria-label={words.list}>
      {rows.length === 0 && <State title={words.none_match} />}
      {byDay(rows, project).map(([day, requests]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {requests.map((request) => (
              <li key={request.id}>
                <Row request={request} is_chosen={request.id === chosen} search={search} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {of.hasNextPage && (
        <div className={styles.more}>
          <Button size="small" busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
            {words.older}
          </Button>
        </div>
      )}
    </nav>
  );
}

function Row({ request, is_chosen, search }: { request: Line; is_chosen: boolean; search: RequestSearch }) {
  const { id: project_id, dates, me, count } = useProject();
  const { id, status, method, path, created_at, event_source, duration_ms } = request;
  return (
    <Link
      to={`/p/${project_id}/requests/${encodeURIComponent(id)}`}
      search={search as never}
      className={styles.row}
      aria-current={is_chosen ? "true" : undefined}
      activeProps={{}}
      resetScroll={false}
    >
      <span className={styles.status} data-tone={toneOf(status)}>
        {status}
      </span>
      <code className={styles.method}>{method}</code>
      <code className={styles.path}>{path.split("?")[0]}</code>
      <small>
        <time dateTime={created_at} title={created_at}>
          {dates.time(created_at)}
        </time>
        {whoOf(event_source, me)}
      </small>
      <small>{count(duration_ms)} ms</small>
    </Link>
  );
}

function byDay(rows: readonly Line[], { dates }: Project): [string, Line[]][] {
  const today = dates.key(new Date().toISOString());
  const days = new Map<string, Line[]>();
  for (const row of rows) {
    const day = dates.day(row.created_at);
    const shown = dates.key(row.created_at) === today ? `${words.today}, ${day}` : day;
    days.set(shown, [...(days.get(shown) ?? []), row]);
  }
  return [...days];
}
