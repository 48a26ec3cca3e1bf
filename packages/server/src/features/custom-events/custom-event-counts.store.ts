import { isoOf } from "../../platform/clock.js";
import { column, type Sql, sql } from "../../platform/db/sql.js";
import { part } from "../../recording/index.js";

/** A custom event that a customer sent, as far as it is counted. */
interface Counted {
  customer_id: string;
  name: string;
  sent_at: number;
}

const countSent = (project_id: string, rows: readonly Counted[]): readonly Sql[] => [
  sql`
    insert into custom_event_counts (project_id, customer_id, name, count, last_at)
    select ${project_id}, sent.customer_id, sent.name, count(*), max(sent.at)
      from unnest(${column(rows, "customer_id")}::text[], ${column(rows, "name")}::text[],
                  ${rows.map(({ sent_at }) => isoOf(sent_at))}::timestamptz[]) as sent (customer_id, name, at)
     group by sent.customer_id, sent.name
     order by sent.customer_id, sent.name
        on conflict (project_id, customer_id, name) do update
       set count = custom_event_counts.count + excluded.count,
           last_at = greatest(custom_event_counts.last_at, excluded.last_at)`,
];

/** What segments count; runs under the customers' keys. */
export const custom_event_counts = part<Counted>("custom_event_counts", "books", countSent);
