import type { Customer } from "../features/customers/index.js";
import type { Tx } from "../platform/db/database.js";
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
