import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Answer } from "../../api/answer.js";
import { type Project, useProject } from "../../api/project.js";
import { ImportLink } from "../../parts/import-link.js";
import { t } from "../../text/index.js";
import { Pages } from "../../ui/list/pages.js";
import { Card, State } from "../../ui/page.js";
import { type Column, Table } from "../../ui/table/table.js";
import { Frame } from "./frame.js";
import { TaskStatus, tookWords } from "./task-status.js";
import styles from "./tasks.module.css";
import { type Task, tasksQuery } from "./tasks.queries.js";

const words = t.tasks;

/** What the service did and does behind its answers. */
export function Tasks() {
  const project = useProject();
  const navigate = useNavigate();
  const { before } = useSearch({ strict: false }) as { before?: string };
  const tasks = useQuery(tasksQuery(project, before));
  const go = (search: { before?: string | undefined }) => void navigate({ to: ".", search: search as never });
  return (
    <>
      <Frame>
        <ImportLink of="customers" needs="customers.importCSV.create" />
      </Frame>
      <Card flush>
        <Answer of={tasks} what={words.tasks}>
          {({ async_actions: rows, has_more }) =>
            rows.length === 0 ? (
              <State icon="progressCheck" title={words.none}>
                {words.none_lead}
              </State>
            ) : (
              <>
                <Table label={words.tasks} rows={rows} keyOf={({ id }) => id} columns={columnsOf(project)} />
                {(before || has_more) && (
                  <Pages
                    found=""
                    onFirst={before ? () => go({}) : undefined}
                    onNext={has_more ? () => go({ before: rows.at(-1)?.created_at }) : undefined}
                  />
                )}
              </>
            )
          }
        </Answer>
      </Card>
    </>
  );
}

const columnsOf = ({ id: project_id, dates }: Project): Column<Task>[] => [
  {
    name: words.task,
    cell: ({ id, type }) => (
      <Link to={`/p/${project_id}/tasks/${id}`} className={styles.name}>
        {words.types[type]}
      </Link>
    ),
  },
  { name: words.status, cell: (task) => <TaskStatus of={task} /> },
  { name: words.started, cell: ({ created_at }) => dates.moment(created_at) },
  { name: words.request, cell: ({ request_id }) => <code className={styles.request}>{request_id}</code> },
  { name: words.took, align: "right", cell: tookWords },
];
