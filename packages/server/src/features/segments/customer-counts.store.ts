import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/database.js";
import { sql } from "../../platform/sql.js";

export interface CustomEventCount {
  customer_id: string;
  name: string;
  count: number;
  last_at: Instant;
}

/** How often each customer sent the custom events, and when last; counted through the index on their activity. */
export const countCustomEvents = (
  db: Queries,
  project_id: string,
  customer_ids: readonly string[],
  names: readonly string[],
) =>
  db.many<CustomEventCount>(sql`
    select asked.customer_id, counted.*
      from unnest(${customer_ids}::text[]) as asked (customer_id),
      lateral (
        select events.data ->> 'type' as name, count(*) as count, max(events.created_at) as last_at
          from events
         where events.project_id = ${project_id}
           and events.customer_id = asked.customer_id
           and events.type = 'customer.custom_event'
           and events.data ->> 'type' = any(${names}::text[])
         group by events.data ->> 'type'
      ) as counted`);

export interface PublicationToCustomer {
  customer_id: string;
  /** The voucher that was given. */
  related_object_id: string;
  created_at: Instant;
}

/** What was given to each customer; refused publications are none. */
export const findPublicationsTo = (db: Queries, project_id: string, customer_ids: readonly string[]) =>
  db.many<PublicationToCustomer>(sql`
    select publications.customer_id, publications.voucher_id as related_object_id, publications.created_at
      from publications
     where publications.project_id = ${project_id}
       and publications.customer_id = any(${customer_ids}::text[])
       and publications.result = 'SUCCESS'`);
