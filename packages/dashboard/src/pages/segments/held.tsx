import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { reasonOf } from "../../api/answer.js";
import { nameOf } from "../../api/people.js";
import { useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Card, Notice } from "../../ui/page.js";
import type { Filter } from "./filter-form.js";
import styles from "./segments.module.css";
import { countQuery } from "./segments.queries.js";

const words = t.filter;
const settled_ms = 400;

/** What somebody types, once they have stopped for a moment. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const waiting = setTimeout(() => setSettled(JSON.parse(text) as Value), settled_ms);
    return () => clearTimeout(waiting);
  }, [text]);
  return settled;
}

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
