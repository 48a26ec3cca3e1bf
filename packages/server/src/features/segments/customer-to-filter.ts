import { isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { withoutNulls } from "../../platform/fields.js";
import { grouped } from "../../platform/lists/grouped.js";
import { type Customer, type CustomerSummary, summariesOf, toCustomerBody } from "../customers/index.js";
import {
  type CustomEventCount,
  findCustomEventCounts,
  findPublicationsTo,
  findTiersOfCustomers,
  type PublicationToCustomer,
  type TierOfCustomer,
} from "./customer-counts.store.js";

/** What is counted or collected about a stored customer beside the profile; empty where no filter asks for it. */
export interface CustomerCounts {
  summary: CustomerSummary | undefined;
  events: readonly CustomEventCount[];
  publications: readonly PublicationToCustomer[];
  tiers: readonly TierOfCustomer[];
}

const event_path = /^events\.(.+)\.(?:count|last_at)$/;

const counted_paths = ["summary.", "loyalty.", "loyalty_points."];

const eventNames = (paths: ReadonlySet<string>): string[] => [
  ...new Set([...paths].flatMap((path) => event_path.exec(path)?.[1] ?? [])),
];

const someBegins = (paths: ReadonlySet<string>, beginnings: readonly string[]) =>
  [...paths].some((path) => beginnings.some((beginning) => path.startsWith(beginning)));

/** Reads of stored customers what the paths need and the profile does not hold (rules.md §14.1): no path, no statement. */
export async function readCustomerCounts(
  db: Queries,
  project_id: string,
  customer_ids: readonly string[],
  paths: ReadonlySet<string>,
): Promise<Map<string, CustomerCounts>> {
  const names = eventNames(paths);
  const [summaries, events, publications, tiers] = await Promise.all([
    someBegins(paths, counted_paths) ? summariesOf(db, project_id, customer_ids) : [],
    names.length > 0 ? findCustomEventCounts(db, project_id, customer_ids, names) : [],
    someBegins(paths, ["publications."]) ? findPublicationsTo(db, project_id, customer_ids) : [],
    someBegins(paths, ["loyalty_tier."]) ? findTiersOfCustomers(db, project_id, customer_ids) : [],
  ]);
  const summary_of = byCustomer(summaries);
  const events_of = byCustomer(events);
  const publications_of = byCustomer(publications);
  const tiers_of = byCustomer(tiers);
  return new Map(
    customer_ids.map((id) => [
      id,
      {
        ...{ summary: summary_of(id)[0], events: events_of(id) },
        ...{ publications: publications_of(id), tiers: tiers_of(id) },
      },
    ]),
  );
}

function byCustomer<Row extends { customer_id: string }>(rows: readonly Row[]): (customer_id: string) => Row[] {
  const groups = grouped(rows, ({ customer_id }) => customer_id);
  return (customer_id) => groups.get(customer_id) ?? [];
}

/**
 * What a segment's filter looks at (rules.md §14.1): the customer as the API shows one, with custom events and
 * publications. Without counts, for somebody who is not stored yet, every count is zero; an event that never came
 * is counted zero times too, so the paths say which ones may be asked for.
 */
export function customerToFilter(
  customer: Customer,
  counts: CustomerCounts | undefined,
  paths: ReadonlySet<string>,
): Record<string, unknown> {
  const none = eventNames(paths).map((name) => [name, { count: 0 }]);
  const counted = (counts?.events ?? []).map(({ name, count, last_at }) => [name, { count, last_at: isoOf(last_at) }]);
  return {
    ...toCustomerBody(customer, counts?.summary),
    events: Object.fromEntries([...none, ...counted]),
    publications: (counts?.publications ?? []).map(({ related_object_id, created_at }) => ({
      related_object_id,
      created_at: isoOf(created_at),
    })),
    loyalty_tiers: (counts?.tiers ?? []).map(({ customer_id: _, expiration_date, ...tier }) =>
      withoutNulls({ ...tier, expiration_date }),
    ),
  };
}

/** The customers as filters look at them, by id, read with one statement for each kind of thing that the paths need. */
export async function readCustomersToFilter(
  db: Queries,
  project_id: string,
  customers: readonly Customer[],
  paths: ReadonlySet<string>,
): Promise<Map<string, Record<string, unknown>>> {
  const ids = customers.map(({ id }) => id);
  const counts = await readCustomerCounts(db, project_id, ids, paths);
  return new Map(
    customers.map((customer) => [customer.id, customerToFilter(customer, counts.get(customer.id), paths)]),
  );
}
