import type { NewEvent } from "../../events/index.js";
import type { Queries, Tx } from "../../platform/database.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { LockKey } from "../../platform/locks.js";
import {
  type Customer,
  type CustomerInput,
  changed,
  customerEvent,
  customerKeys,
  findNamedCustomers,
  newCustomer,
  saveCustomers,
} from "../customers/index.js";
import type { Call } from "../projects/index.js";
import type { OrderUpdate } from "./order.schemas.js";

type PeopleInput = Record<"customer" | "referrer", CustomerInput | undefined>;
/** The customers that a request's order names, as far as they are known. */
export type People = Record<"customer" | "referrer", Customer | undefined>;

/** Who buys and who referred them. One of whom nothing at all is said is nobody. */
export function peopleIn({ customer, referrer, referrer_id }: OrderUpdate): PeopleInput {
  return { customer: saidOf(customer), referrer: saidOf(referrer) ?? (referrer_id ? { id: referrer_id } : undefined) };
}

function saidOf(input: CustomerInput | null | undefined): CustomerInput | undefined {
  if (!input) return undefined;
  // An empty text names nobody; stored as a name it could stand only once.
  const named = { ...input, id: input.id || undefined, source_id: input.source_id || undefined };
  return Object.values(named).some((value) => value !== null && value !== undefined) ? named : undefined;
}

/** Reads who is known; an unknown id is the caller's mistake, an unknown source id a new customer. */
export async function findPeople(db: Queries, project_id: string, named: PeopleInput): Promise<People> {
  const [customer, referrer] = await findNamedCustomers(db, project_id, [named.customer, named.referrer]);
  if (named.customer?.id && !customer) throw problems.notFound("customer", named.customer.id);
  if (named.referrer?.id && !referrer) throw problems.notFound("customer", named.referrer.id);
  return { customer, referrer };
}

export function peopleKeys(project_id: string, named: PeopleInput, known: People): LockKey[] {
  return (["customer", "referrer"] as const).flatMap((who) => {
    const input = named[who];
    return input ? customerKeys(project_id, input, known[who]) : [];
  });
}

/** Creates or changes the people of an order (rules.md §18); nothing is written where nothing changes. */
export async function savePeople(tx: Tx, call: Call, named: PeopleInput, known: People) {
  const saved = new Map<string, Customer>();
  const events: NewEvent[] = [];
  const save = (input: CustomerInput | undefined, stored: Customer | undefined): string | undefined => {
    if (!input) return undefined;
    // Both may be one person; what the first said is then what the second is laid over.
    const twin = [...saved.values()].find(
      ({ id, source_id }) => id === stored?.id || (source_id !== null && source_id === input.source_id),
    );
    const before = twin ?? stored;
    const customer = before
      ? { ...changed(before, input), updated_at: call.instant }
      : newCustomer(newId("cust"), input, call.instant);
    const event = customerEvent(before, input, customer);
    if (event) {
      saved.set(customer.id, customer);
      events.push(event);
    }
    return customer.id;
  };
  const customer_id = save(named.customer, known.customer);
  const referrer_id = save(named.referrer, known.referrer);
  await saveCustomers(tx, call.project_id, [...saved.values()]);
  return { customer_id, referrer_id, events };
}
