import type { Customer } from "../features/customers/index.js";
import type { Queries, Tx } from "../platform/db/database.js";
import { sql } from "../platform/db/sql.js";
import { insertEvents } from "./append.js";
import type { Cause, NewEvent } from "./event.js";
import type { ToldEvent } from "./twins.js";

/** Something that happens in a test: a customer of this name is made. No more is known of them. */
export const aCreation = (name: string, about: { entity_id?: string; customer_id?: string } = {}): NewEvent => ({
  type: "customer.created",
  entity_id: "cust_1",
  ...about,
  data: { customer: { name } as Customer },
});

/** The name that {@link aCreation} gave. */
export const nameIn = (event: ToldEvent): string =>
  event.type === "customer.created" ? (event.data.customer.name ?? "") : event.type;

/** Makes events happen in a transaction of the test's own, as a write set does. */
export async function happen(tx: Tx, cause: Cause, events: readonly NewEvent[]): Promise<void> {
  for (const statement of insertEvents([{ cause, events }])) await tx.run(statement);
}

/** What waits in the outbox for its consumers, by the id of the request that made it happen and the name that {@link aCreation} gave. */
export const waitingIn = (db: Queries, project_id: string) =>
  db.many<{ request_id: string; name: string }>(sql`
    select events.group_id as request_id, events.data -> 'customer' ->> 'name' as name
      from outbox_parcels
     cross join json_to_recordset(outbox_parcels.facts) as waiting (id text)
      join events on events.project_id = outbox_parcels.project_id and events.id = waiting.id
     where outbox_parcels.project_id = ${project_id}`);
