import { Link } from "@tanstack/react-router";
import { type Project, useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Card, State } from "../../ui/page.js";
import { Bar } from "../../ui/status.js";
import { type Column, Table } from "../../ui/table/table.js";
import { Change } from "./change.js";
import styles from "./overview.module.css";
import type { Overview } from "./overview.queries.js";

const words = t.overview;
type Top = Overview["top_campaigns"][number];

/** The campaigns that did most; one click leads to where each is switched off. */
export function TopCampaigns({ of }: { of: readonly Top[] }) {
  const project = useProject();
  const all = (
    <Link to={`/p/${project.id}/campaigns`} className={styles.all}>
      {words.all_campaigns}
    </Link>
  );
  return (
    <Card title={words.top} action={project.may("campaigns.read") && all} flush>
      {of.length === 0 ? (
        <State icon="speakerphone" title={words.no_top} />
      ) : (
        <Table label={words.top} rows={of} keyOf={({ id }) => id} columns={columnsOf(project)} />
      )}
    </Card>
  );
}

/** Below this it is worth a look. */
const good_part = 0.75;

const columnsOf = (project: Project): Column<Top>[] => [
  {
    name: words.campaign,
    cell: ({ id, name }) => (
      <Link to={`/p/${project.id}/campaigns/${id}`} className={styles.name}>
        {name}
      </Link>
    ),
  },
  { name: words.count, align: "right", cell: ({ redemptions }) => project.count(redemptions) },
  {
    name: words.success,
    cell: ({ redemptions, refusals }) => {
      const part = redemptions / Math.max(1, redemptions + refusals);
      return (
        <span className={styles.part} data-low={part < good_part || undefined}>
          <Bar part={part} />
          {Math.round(100 * part)} %
        </span>
      );
    },
  },
  { name: words.impact, align: "right", cell: ({ discount_amount }) => project.money(discount_amount) },
  {
    name: words.change,
    align: "right",
    cell: ({ redemptions, redemptions_before }) => <Change now={redemptions} before={redemptions_before} />,
  },
];
