import type { Tx } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";

/** Drops what a customer's activity shows, since the customer is deleted for good. */
export const deleteEventsOf = (tx: Tx, project_id: string, customer_id: string) =>
  tx.run(sql`delete from events where events.project_id = ${project_id} and events.customer_id = ${customer_id}`);
