import { useQuery } from "@tanstack/react-query";
import { reasonOf } from "../../api/answer.js";
import { nameOf } from "../../api/people.js";
import { useProject } from "../../api/project.js";
import { useSettled } from "../../parts/conditions/settled.js";
import { t } from "../../text/index.js";
import { Card, Notice } from "../../ui/page.js";
import type { Filter } from "./filter-form.js";
import styles from "./segments.module.css";
import { countQuery } from "./segments.queries.js";

const words = t.filter;
/** Whom the conditions hold that stand in the form, as they are typed. */
export function Held({ filter }: { filter: Filter | null }) {
  const project = useProject();
  const settled = useSettled(filter);
  const { data, error, isFetching } = useQuery(countQuery(project, settled));
  const { count } = project;
  return (
    <Card title={words.who}>
      {error && settled !== null ? (
        <Notice>{reasonOf(error)}</Notice>
      ) : (
        <div role="status" aria-busy={isFetching} className={styles.held} data-old={isFetching || undefined}>
          {settled === null || !data ? (
            <p className={styles.lead}>{isFetching ? words.counting : words.not_yet}</p>
          ) : (
            <>
              <strong>{count(data.held)}</strong>
              <p>{(data.is_all ? words.holds : words.holds_some)(count(data.held), count(data.asked))}</p>
              {data.customers.length > 0 && (
                <p className={styles.lead} dir="auto">
                  {words.among(data.customers.map(nameOf).join(", "))}
                </p>
              )}
            </>
          )}
        </div>
      )}
    </Card>
  );
}
