import type { Queries, Tx } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";

/** Drops what a customer's activity shows, since the customer is deleted for good. */
export const deleteEventsOf = (tx: Tx, project_id: string, customer_id: string) =>
  tx.run(sql`delete from events where events.project_id = ${project_id} and events.customer_id = ${customer_id}`);

/**
 * The same where the profile alone is deleted: what others have yet to be told of stays with them, and names nobody. What has a profile in
 * it goes all the same.
 */
export async function dropEventsOf(tx: Tx, project_id: string, customer_id: string): Promise<void> {
  await tx.run(sql`
    update events set customer_id = null
     where events.project_id = ${project_id} and events.customer_id = ${customer_id}
       and events.type not like 'customer.%'
       and (events.id in (select fact ->> 'id' from outbox_parcels, json_array_elements(outbox_parcels.facts) as fact
                           where outbox_parcels.project_id = ${project_id})
            or exists (select from inbox
                        where inbox.project_id = events.project_id and inbox.created_at = events.created_at
                          and inbox.event_id = events.id))`);
  await deleteEventsOf(tx, project_id, customer_id);
}

/** How many events of a customer are kept, by what they are about. */
export const countEventsOf = (db: Queries, project_id: string, customer_id: string) =>
  db.one<{ events: number; customer_events: number; order_events: number }>(sql`
    select count(*) filter (where events.type = 'customer.custom_event') as events,
           count(*) filter (where events.type like '%order.%') as order_events,
           count(*) filter (where events.type <> 'customer.custom_event' and events.type not like '%order.%') as customer_events
      from events
     where events.project_id = ${project_id} and events.customer_id = ${customer_id}`);
