import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Card, State } from "../../ui/page.js";
import { Bar } from "../../ui/status.js";
import styles from "./overview.module.css";
import type { Overview } from "./overview.queries.js";

const words = t.overview;
const shown_max = 6;

const wordsOf = (key: string) =>
  words.keys[key] ?? key.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase());

/** Why what was refused was, most first. */
export function Refusals({ of, total }: { of: Overview["refusals"]; total: number }) {
  const { count } = useProject();
  const most = of[0]?.count ?? 1;
  return (
    <Card title={words.refusals} note={total > 0 ? words.attempts(count(total)) : undefined} flush={of.length === 0}>
      {of.length === 0 ? (
        <State icon="circleCheck" title={words.no_refusals} />
      ) : (
        <ul className={styles.refusals}>
          {of.slice(0, shown_max).map(({ key, count: times }) => (
            <li key={key} title={key}>
              <span>{wordsOf(key)}</span>
              <span>{count(times)}</span>
              <Bar part={times / most} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
