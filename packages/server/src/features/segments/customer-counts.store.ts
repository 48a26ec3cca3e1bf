import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";

export interface CustomEventCount {
  customer_id: string;
  name: string;
  count: number;
  last_at: Instant;
}

/** How often each customer sent the custom events, and when last. */
export const findCustomEventCounts = (
  db: Queries,
  project_id: string,
  customer_ids: readonly string[],
  names: readonly string[],
) =>
  db.many<CustomEventCount>(sql`
    select custom_event_counts.customer_id, custom_event_counts.name, custom_event_counts.count,
           custom_event_counts.last_at
      from custom_event_counts
     where custom_event_counts.project_id = ${project_id}
       and custom_event_counts.customer_id = any(${customer_ids}::text[])
       and custom_event_counts.name = any(${names}::text[])`);

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
