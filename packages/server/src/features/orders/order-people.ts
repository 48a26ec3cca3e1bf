import type { Queries } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { problems } from "../../platform/http/problems.js";
import type { Change } from "../../recording/index.js";
import {
  type Customer,
  type CustomerInput,
  customerKeys,
  findNamedCustomers,
  upsertNamed,
} from "../customers/index.js";
import type { OrderUpdate } from "./order.schemas.js";

type PeopleInput = Record<"customer" | "referrer", CustomerInput | undefined>;
/** The customers that a request's order names, as far as they are known. */
export type People = Record<"customer" | "referrer", Customer | undefined>;

/** Who buys and who referred them. One of whom nothing at all is said is nobody. */
export function peopleIn({ customer, referrer, referrer_id }: OrderUpdate): PeopleInput {
  return { customer: saidOf(customer), referrer: referrerIn({ referrer, referrer_id }) };
}

/** Who referred the buyer; undefined where nothing is said of them. */
export function referrerIn({
  referrer,
  referrer_id,
}: Pick<OrderUpdate, "referrer" | "referrer_id">): CustomerInput | undefined {
  return saidOf(referrer) ?? (referrer_id ? { id: referrer_id } : undefined);
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
export function upsertPeople(change: Change, named: PeopleInput, known: People) {
  const customer = named.customer && upsertNamed(change, known.customer, named.customer);
  // Both may be one person; what the first said is then what the second is laid over.
  const is_one =
    customer &&
    (customer.id === known.referrer?.id ||
      (customer.source_id !== null && customer.source_id === named.referrer?.source_id));
  const referrer = named.referrer && upsertNamed(change, is_one ? customer : known.referrer, named.referrer);
  return { customer_id: customer?.id, referrer_id: referrer?.id };
}
