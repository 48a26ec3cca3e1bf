import { Link } from "@tanstack/react-router";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { look } from "../../ui/button.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { Card, State } from "../../ui/page.js";
import styles from "./overview.module.css";
import type { Overview } from "./overview.queries.js";

const words = t.overview;
type Alert = Overview["alerts"][number];

const looks: Record<Alert["kind"], readonly ["warn" | "bad", IconName]> = {
  failed_send_outs: ["bad", "webhook"],
  failed_actions: ["bad", "alertCircle"],
  campaigns_ending: ["warn", "hourglass"],
};
/** Where something is done about it. */
const pages: Record<Alert["kind"], { path: string; search?: Record<string, string> }> = {
  campaigns_ending: { path: "campaigns" },
  failed_actions: { path: "tasks" },
  failed_send_outs: { path: "webhooks/send-outs", search: { status: "failed" } },
};

/** What somebody should look at, each with the way there. */
export const Attention = ({ alerts }: { alerts: Overview["alerts"] }) => (
  <Card title={words.attention} note={alerts.length > 0 ? alerts.length : undefined} flush>
    {alerts.length === 0 ? (
      <State icon="circleCheck" title={words.calm} />
    ) : (
      <ul className={styles.alerts}>
        {alerts.map((alert) => (
          <One key={alert.kind} alert={alert} />
        ))}
      </ul>
    )}
  </Card>
);

function One({ alert: { kind, count } }: { alert: Alert }) {
  const project = useProject();
  const [tone, icon] = looks[kind];
  const { path, search = {} } = pages[kind];
  return (
    <li>
      <span className={styles.sign} data-tone={tone}>
        <Icon name={icon} size={16} />
      </span>
      <span>
        <strong>{words.alerts[kind](project.count(count))}</strong>
        <small>{words.alert_leads[kind]}</small>
      </span>
      <Link {...look({ size: "small" })} to={`/p/${project.id}/${path}`} search={search as never}>
        {words.review}
      </Link>
    </li>
  );
}
