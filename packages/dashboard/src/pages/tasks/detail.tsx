import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import type { Schemas } from "../../api/client.js";
import { pathOf } from "../../api/files.js";
import { useProject } from "../../api/project.js";
import { RequestLink } from "../../parts/request-link.js";
import { t } from "../../text/index.js";
import { look, withIcon } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { Card, Columns, Facts, Notice, PageHead, Stack, State } from "../../ui/page.js";
import { Table } from "../../ui/table/table.js";
import { Tiles } from "../../ui/tiles.js";
import { TaskStatus, tookWords } from "./task-status.js";
import { taskQuery } from "./tasks.queries.js";

const words = t.tasks;
type Action = Schemas["AsyncAction"];

/** What is known of the result of any task; each has some of it. */
interface Result {
  message?: string;
  done_count?: number;
  failed_count?: number;
  reports?: string[];
  reports_available_till?: string;
  errors?: { key?: string; message?: string; details?: string; code?: string; source_id?: string }[];
}

/** One task: how far it is, and what became of each of its rows. */
export function TaskPage() {
  const project = useProject();
  const { task: id } = useParams({ strict: false }) as { task: string };
  const task = useQuery(taskQuery(project, id));
  return (
    <Answer of={task} what={words.one}>
      {(task) => {
        const result = (task.result ?? {}) as Result;
        return (
          <>
            <Crumbs to={`/p/${project.id}/tasks`}>{words.title}</Crumbs>
            <PageHead title={words.types[task.type]} lead={<TaskStatus of={task} refused={result.failed_count ?? 0} />}>
              {result.reports?.map((url) => (
                <a key={url} {...look({})} href={pathOf(url)} download>
                  {withIcon("download", words.reports)}
                </a>
              ))}
            </PageHead>
            <Columns>
              <Stack>
                <Became task={task} result={result} />
                <Refused of={result} />
              </Stack>
              <Details task={task} result={result} />
            </Columns>
          </>
        );
      }}
    </Answer>
  );
}

function Became({ task: { result: ended }, result }: { task: Action; result: Result }) {
  const { count } = useProject();
  if (ended === null)
    return (
      <Card>
        <State icon="progressCheck" title={words.not_yet}>
          {words.not_yet_lead}
        </State>
      </Card>
    );
  const { message, done_count, failed_count } = result;
  const tiles = [
    ...(done_count === undefined ? [] : [[words.changed, count(done_count)] as const]),
    ...(failed_count === undefined ? [] : [[words.refused, count(failed_count)] as const]),
  ];
  return (
    <Card title={words.result}>
      <Stack>
        {message && <p>{message}</p>}
        {tiles.length > 0 && <Tiles of={tiles} />}
      </Stack>
    </Card>
  );
}

/** Rows that were left as they were, each with the reason. */
function Refused({ of: { errors = [] } }: { of: Result }) {
  if (errors.length === 0) return null;
  const rows = errors.map((error, i) => ({ ...error, number: i + 1 }));
  return (
    <Card title={words.rows} flush>
      <Table
        label={words.rows}
        rows={rows}
        keyOf={({ number }) => String(number)}
        columns={[
          { name: words.row, cell: ({ code, source_id, number }) => <code>{code ?? source_id ?? number}</code> },
          {
            name: words.why,
            cell: ({ details, message, key }) => (
              <>
                {details ?? message}
                {key && <small>{key}</small>}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}

function Details({ task, result }: { task: Action; result: Result }) {
  const { dates } = useProject();
  const { request_id, created_at } = task;
  return (
    <Stack>
      {task.status === "FAILED" && <Notice>{result.message ?? words.failed}</Notice>}
      <Card title={words.details}>
        <Facts
          of={[
            [words.started, dates.minute(created_at)],
            [words.took, task.result === null ? undefined : tookWords(task)],
            [words.request, <RequestLink key="request" id={request_id} />],
            [
              words.reports,
              result.reports_available_till && words.reports_till(dates.day(result.reports_available_till)),
            ],
            [words.id, <code key="id">{task.id}</code>],
          ]}
        />
      </Card>
    </Stack>
  );
}
