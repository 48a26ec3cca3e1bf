import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import type { Schemas } from "../../api/client.js";
import { csvOf, pathOf, saveText } from "../../api/files.js";
import { useProject } from "../../api/project.js";
import { type RefusedRow, type Result, refusedRows } from "../../parts/refused-rows.js";
import { RequestLink } from "../../parts/request-link.js";
import { t } from "../../text/index.js";
import { Button, look, withIcon } from "../../ui/button.js";
import { Crumbs } from "../../ui/crumbs.js";
import { Card, Columns, Facts, Notice, PageHead, Stack, State } from "../../ui/page.js";
import { Clip } from "../../ui/table/clip.js";
import { Table } from "../../ui/table/table.js";
import { Tiles } from "../../ui/tiles.js";
import { TaskStatus, tookWords } from "./task-status.js";
import { taskQuery } from "./tasks.queries.js";

const words = t.tasks;
type Action = Schemas["AsyncAction"];

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
              <RefusedFile of={result} type={task.type} />
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
function Refused({ of }: { of: Result }) {
  const { count } = useProject();
  const rows = refusedRows(of);
  if (rows.length === 0) return null;
  const untold = (of.failed_count ?? 0) - rows.length;
  return (
    <Card
      title={words.rows}
      note={of.failed && untold > 0 ? words.first_of(count(rows.length), count(of.failed_count ?? 0)) : undefined}
      flush
    >
      <Table
        label={words.rows}
        rows={rows}
        keyOf={({ place }) => place}
        columns={[
          ...(rows.some(({ row }) => row !== undefined)
            ? [{ name: words.row, cell: ({ row }: RefusedRow) => row }]
            : []),
          { name: words.thing, cell: ({ name }) => name && <Clip code>{name}</Clip> },
          {
            name: words.why,
            cell: ({ why, key }) => (
              <>
                <Clip>{why}</Clip>
                {key && <small>{key}</small>}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** The rows of an import that were refused, for whoever repairs them in a spreadsheet. */
function RefusedFile({ of, type }: { of: Result; type: Action["type"] }) {
  if (!of.failed || of.failed.length === 0) return null;
  const save = () => {
    const rows = refusedRows(of).map(({ row = "", name, why }) => [String(row), name, why]);
    saveText(`${type.toLowerCase()}-refused.csv`, csvOf([[words.row, words.thing, words.why], ...rows]));
  };
  return (
    <Button icon="download" onClick={save}>
      {words.refused_file}
    </Button>
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
