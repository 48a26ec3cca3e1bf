import type { Cause, NewEvent } from "../../events/index.js";
import type { Queries, Tx } from "../../platform/database.js";
import { StartOver } from "../../platform/database-errors.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { type Customer, type CustomerInput, changed, newCustomer } from "./customer.js";
import { customerEvent, findNamedCustomers } from "./customer.service.js";
import { saveCustomers } from "./customer.store.js";

/** The one customer that a request names; undefined where a source id is new, a 404 where an id is unknown. */
export async function findKnownCustomer(
  db: Queries,
  project_id: string,
  input: CustomerInput,
): Promise<Customer | undefined> {
  const [known] = await findNamedCustomers(db, project_id, [input]);
  if (input.id && !known) throw problems.notFound("customer", input.id);
  return known;
}

/**
 * Creates the named customer, or lays what was sent over the stored one (rules.md §18). Runs under `customerKeys`;
 * `named` is whom the input named before they were held.
 */
export async function saveNamedCustomer(
  tx: Tx,
  cause: Cause,
  input: CustomerInput,
  named: Customer | undefined,
): Promise<{ customer: Customer; events: NewEvent[] }> {
  const { project_id, instant } = cause;
  const known = await findKnownCustomer(tx, project_id, input);
  if (known?.id !== named?.id) throw new StartOver("the source id names another customer now");
  const saved = known ? { ...changed(known, input), updated_at: instant } : newCustomer(newId("cust"), input, instant);
  const event = customerEvent(known, input, saved);
  if (!event) return { customer: known ?? saved, events: [] };
  await saveCustomers(tx, project_id, [saved]);
  return { customer: saved, events: [event] };
}
