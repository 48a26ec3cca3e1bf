import type { FilterClock } from "@guerdon/engine";
import { changed, newCustomer } from "../../features/customers/index.js";
import {
  type CustomerSegment,
  customerToFilter,
  findStaticMemberships,
  readCustomerCounts,
  segmentShelf,
} from "../../features/segments/index.js";
import type { Queries } from "../../platform/database.js";
import { ruledBy } from "../counting/counters.js";
import type { DecidingRequest } from "../requests/request.js";
import type { Memberships, SharedFacts } from "../shared-facts.js";

/** Reads what the segments of the requests' rules need to know of stored customers; nothing where no rule asks. */
export async function readMemberships(
  db: Queries,
  shared: SharedFacts,
  requests: readonly DecidingRequest[],
): Promise<Memberships> {
  const asked = requests.flatMap((request) => {
    const customer = shared.customer(request.customer);
    return customer ? segmentsAsked(shared, request).map((segment) => ({ customer_id: customer.id, segment })) : [];
  });
  const listed = asked.filter(({ segment }) => segment.filter === null).map(({ customer_id }) => customer_id);
  const counted = asked.filter(({ segment }) => segment.filter !== null);
  const paths = new Set(counted.flatMap(({ segment }) => segment.paths));
  const { id: project_id } = shared.catalogue.project;
  const counted_ids = [...new Set(counted.map(({ customer_id }) => customer_id))];
  const [of_lists, counts] = await Promise.all([
    readListed(db, project_id, [...new Set(listed)]),
    counted_ids.length === 0 ? new Map() : readCustomerCounts(db, project_id, counted_ids, paths),
  ]);
  return { listed: of_lists, counts };
}

async function readListed(db: Queries, project_id: string, customer_ids: readonly string[]) {
  const listed = new Map<string, Set<string>>();
  if (customer_ids.length === 0) return listed;
  for (const { customer_id, segment_id } of await findStaticMemberships(db, project_id, customer_ids)) {
    const segments = listed.get(customer_id);
    if (segments) segments.add(segment_id);
    else listed.set(customer_id, new Set([segment_id]));
  }
  return listed;
}

/**
 * Ids of the segments that hold the request's customer at its instant, with what was sent laid over what is stored
 * (rules.md §14).
 */
export function segmentsOf(shared: SharedFacts, request: DecidingRequest): Set<string> {
  const { customer: input, call } = request;
  const segments = input ? segmentsAsked(shared, request) : [];
  if (!input || segments.length === 0) return new Set();
  const known = shared.customer(input);
  const { listed, counts } = shared.memberships;
  const customer = known ? changed(known, input) : newCustomer("", input, call.instant);
  const paths = new Set(segments.flatMap((segment) => segment.paths));
  const subject = customerToFilter(customer, known && counts.get(known.id), paths);
  const at: FilterClock = { instant: call.instant, time_zone: shared.catalogue.project.timezone };
  const holding = segments.filter(({ id, filter }) =>
    filter === null ? known && listed.get(known.id)?.has(id) : filter.holds(subject, at),
  );
  return new Set(holding.map(({ id }) => id));
}

/** Whether a segment of the request's rules counts what redemptions change, such as how many there were. */
export const asksForCounts = (shared: SharedFacts, request: DecidingRequest): boolean =>
  segmentsAsked(shared, request).some(({ paths }) => paths.some((path) => counted.test(path)));

const counted = /^(summary|loyalty|loyalty_points)\./;

function segmentsAsked(shared: SharedFacts, request: DecidingRequest): CustomerSegment[] {
  // Most projects have none, and this lies on every request's way.
  const segments = shared.catalogue.shelf(segmentShelf);
  if (segments.size === 0) return [];
  const ids = request.redeemables.flatMap((redeemable) =>
    (ruledBy(shared, redeemable)?.rules ?? []).flatMap((rule) => rule.segments),
  );
  return [...new Set(ids)].flatMap((id) => segments.get(id) ?? []);
}
