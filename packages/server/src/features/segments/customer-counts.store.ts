import type { Instant } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { sql } from "../../platform/db/sql.js";
import { refusals } from "../../terms/index.js";

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

/** Of one customer, that a filter is shown: some 30 ms to read and to walk. */
const publications_max = 10_000;

/**
 * What was given to each customer; refused publications are none.
 * @throws where a customer was given more than a filter is shown: it would not be told the truth of the rest
 */
export async function findPublicationsTo(
  db: Queries,
  project_id: string,
  customer_ids: readonly string[],
): Promise<PublicationToCustomer[]> {
  const found = await db.many<PublicationToCustomer & { place: number }>(sql`
    select given.* from unnest(${customer_ids}::text[]) as asked (customer_id),
      lateral (
        select publications.customer_id, publications.created_at,
               coalesce(publications.voucher_id, publication_vouchers.voucher_id) as related_object_id,
               row_number() over () as place
          from publications
          left join publication_vouchers
            on publication_vouchers.project_id = publications.project_id
           and publication_vouchers.publication_id = publications.id
         where publications.project_id = ${project_id} and publications.customer_id = asked.customer_id
           and publications.result = 'SUCCESS'
         limit ${publications_max + 1}
      ) as given`);
  const over = found.find(({ place }) => place > publications_max);
  if (over) {
    const told = `The customer ${over.customer_id} has more than ${publications_max} publications, too many for a segment to look at`;
    throw refusals.tooMuchToLookAt(told);
  }
  return found.map(({ place: _, ...publication }) => publication);
}
