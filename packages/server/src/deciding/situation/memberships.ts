import type { FilterClock, Work } from "@guerdon/engine";
import { changed, newCustomer } from "../../features/customers/index.js";
import { locationsOf } from "../../features/locations/index.js";
import {
  type CustomerSegment,
  customerToFilter,
  findStaticMemberships,
  readCustomerCounts,
  segmentShelf,
} from "../../features/segments/index.js";
import type { Queries } from "../../platform/db/database.js";
import type { SharedFacts } from "../shared-facts.js";
import type { Subject } from "./subject.js";

/** What a rule, or several, want to know of a customer. */
interface AskedSegments {
  subject: Subject;
  segment_ids: readonly string[];
}

/** Reads what the asked segments need to know of stored customers; nothing where no rule asks. */
export async function readMemberships(
  db: Queries,
  shared: SharedFacts,
  wanted: readonly AskedSegments[],
): Promise<void> {
  const asked = wanted.flatMap(({ subject, segment_ids }) => {
    const customer = shared.customer(subject.customer);
    return customer ? known(shared, segment_ids).map((segment) => ({ customer_id: customer.id, segment })) : [];
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
  shared.memberships = { listed: of_lists, counts };
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
 * Those of the segments that hold the subject's customer at its instant, with what was sent laid over what is stored
 * (rules.md §14).
 */
export function segmentsHolding(shared: SharedFacts, { subject, segment_ids }: AskedSegments, work: Work): Set<string> {
  const { customer: input, call } = subject;
  const segments = input ? known(shared, segment_ids) : [];
  if (!input || segments.length === 0) return new Set();
  const stored = shared.customer(input);
  const { listed, counts } = shared.memberships;
  const customer = stored ? changed(stored, input) : newCustomer("", input, call.instant);
  const paths = new Set(segments.flatMap((segment) => segment.paths));
  const seen = customerToFilter(customer, stored && counts.get(stored.id), paths);
  const { catalogue } = shared;
  const time_zone = catalogue.project.timezone;
  const at: FilterClock = { instant: call.instant, time_zone, work, location: locationsOf(catalogue) };
  const holding = segments.filter(({ id, filter }) => {
    if (filter === null) return stored && listed.get(stored.id)?.has(id);
    work.on = { object: "segment", id };
    return filter.holds(seen, at);
  });
  return new Set(holding.map(({ id }) => id));
}

/** Whether one of the segments counts what redemptions change, such as how many there were. */
export const askForCounts = (shared: SharedFacts, segment_ids: readonly string[]): boolean =>
  known(shared, segment_ids).some(({ paths }) => paths.some((path) => counted_paths.test(path)));

const counted_paths = /^(summary|loyalty|loyalty_points)\./;

function known({ catalogue }: SharedFacts, segment_ids: readonly string[]): CustomerSegment[] {
  if (segment_ids.length === 0) return [];
  const segments = catalogue.shelf(segmentShelf);
  return segment_ids.flatMap((id) => segments.get(id) ?? []);
}
