import type { Queries } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { customerEvent } from "./customer.events.js";
import { type Customer, type CustomerInput, changed, changes, newCustomer } from "./customer.js";
import { customer_rows, findCustomerNames, findCustomersByIds, findCustomersBySourceIds } from "./customer.store.js";

/** What naming a customer locks: its id once it has one, and its source id, which may not be taken twice. */
export function customerKeys(
  project_id: string,
  { source_id }: CustomerInput,
  known: Pick<Customer, "id"> | undefined,
): LockKey[] {
  const keys: LockKey[] = [];
  if (known) keys.push({ project_id, kind: "customer", id: known.id });
  if (source_id && !known) keys.push({ project_id, kind: "customer_source", id: source_id });
  return keys;
}

/**
 * What a deletion holds beside the customer's own key, and whoever writes of a customer what the deletion must find: events
 * with the profile in them. Nobody on a request's way takes it.
 */
export const customerBesideKey = (project_id: string, customer_id: string): LockKey => ({
  project_id,
  kind: "name",
  id: `beside customer ${customer_id}`,
});

/**
 * The customers that the inputs name, in their order; undefined where a source id is new or nothing is named. An
 * id wins over a source id; an unknown id is the caller's mistake (redemption.md §4 A7).
 */
export async function findNamedCustomers(
  db: Queries,
  project_id: string,
  inputs: readonly (CustomerInput | null | undefined)[],
): Promise<(Customer | undefined)[]> {
  const ids = inputs.flatMap((input) => input?.id ?? []);
  const source_ids = inputs.flatMap((input) => (input?.id ? [] : (input?.source_id ?? [])));
  const [found, found_by_source_id] = await Promise.all([
    ids.length ? findCustomersByIds(db, project_id, ids) : [],
    source_ids.length ? findCustomersBySourceIds(db, project_id, source_ids) : [],
  ]);
  const by_id = new Map(found.map((customer) => [customer.id, customer]));
  const by_source_id = new Map(found_by_source_id.map((customer) => [customer.source_id, customer]));
  return inputs.map((input) => {
    if (input?.id) return by_id.get(input.id);
    return input?.source_id ? by_source_id.get(input.source_id) : undefined;
  });
}

/** The same without the profile, which may be large: enough to know what to lock. */
export async function findKnownName(
  db: Queries,
  project_id: string,
  { id, source_id }: CustomerInput,
): Promise<Pick<Customer, "id"> | undefined> {
  const named = id ? { ids: [id], source_ids: [] } : { ids: [], source_ids: source_id ? [source_id] : [] };
  return (await findCustomerNames(db, project_id, named))[0];
}

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
 * The customer that a request names on its way, created or with what was sent laid over the stored one (rules.md §18).
 * Nothing is written and nobody told where nothing changes. Runs under {@link customerKeys}.
 */
export function upsertNamed({ cause, add, tell }: Change, known: Customer | undefined, input: CustomerInput): Customer {
  if (known && !changes(known, input)) return known;
  if (!known) cause.metadata_schemas?.assertFits("customer", input.metadata, { is_made: true });
  const saved = known
    ? { ...changed(known, input), updated_at: cause.instant }
    : newCustomer(newId("cust"), input, cause.instant);
  add(customer_rows, saved);
  tell(customerEvent(known ? "customer.updated" : "customer.created", saved));
  return saved;
}
