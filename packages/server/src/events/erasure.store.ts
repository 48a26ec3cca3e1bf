import type { Queries, Tx } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";

/** Drops what a customer's activity shows, since the customer is deleted for good. */
export const deleteEventsOf = (tx: Tx, project_id: string, customer_id: string) =>
  tx.run(sql`delete from events where events.project_id = ${project_id} and events.customer_id = ${customer_id}`);

/** How many events of a customer are kept, by what they are about. */
export const countEventsOf = (db: Queries, project_id: string, customer_id: string) =>
  db.one<{ events: number; customer_events: number; order_events: number }>(sql`
    select count(*) filter (where events.type = 'customer.custom_event') as events,
           count(*) filter (where events.type like '%order.%') as order_events,
           count(*) filter (where events.type <> 'customer.custom_event' and events.type not like '%order.%') as customer_events
      from events
     where events.project_id = ${project_id} and events.customer_id = ${customer_id}`);
