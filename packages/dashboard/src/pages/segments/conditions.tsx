import { type Project, useProject } from "../../api/project.js";
import { t } from "../../text/index.js";
import { Json } from "../../ui/json/json.js";
import { type Filter, formOf } from "./filter-form.js";
import { filterWords, sentenceOf } from "./filter-words.js";
import styles from "./segments.module.css";
import type { Segment } from "./segments.queries.js";

const words = t.segments;

/** What a list says of a segment's conditions, in a line. */
export function conditionsOf({ filter }: Segment, project: Project): string {
  if (filter === null) return "";
  return formOf(filter as Filter, project) ? filterWords(filter as Filter, project) : t.conditions.own_words;
}

/** Who is in a segment, said in full; what no sentence says is shown as it is. */
export function Conditions({ of }: { of: Filter }) {
  const project = useProject();
  const form = formOf(of, project);
  if (!form) return <Json text={JSON.stringify(of)} label={words.conditions} />;
  if (form.rows.length === 0) return <p>{words.everybody}</p>;
  return (
    <>
      <p className={styles.lead}>{form.junction === "and" ? words.all_hold : words.any_holds}</p>
      <ul className={styles.conditions}>
        {form.rows.map((row) => (
          <li key={row.key} dir="auto">
            {sentenceOf(row, project)}
          </li>
        ))}
      </ul>
    </>
  );
}
