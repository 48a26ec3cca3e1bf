import type { Catalogue, Catalogues, Claim } from "../catalogue/index.js";
import {
  type CustomerInput,
  findCustomerNames,
  findCustomersToRecord,
  findNamedCustomers,
} from "../features/customers/index.js";
import { findOrderNames, findOrders } from "../features/orders/index.js";
import { catalogueOf } from "../features/products/index.js";
import { type Call, disbelieved } from "../features/projects/index.js";
import type { Database, Queries } from "../platform/db/database.js";
import { sharedRead } from "../platform/db/reads.js";
import { Problem } from "../platform/http/problems.js";
import {
  asksForTiers,
  findRules,
  keepRuled,
  publicationsAsked,
  segmentsAsked,
  unitsGiven,
  wantedOf,
} from "./candidates.js";
import { readCounters } from "./counting/counters.js";
import { withHistories } from "./counting/histories.js";
import { readUnitUsage } from "./counting/unit-usage-facts.js";
import { cardsSpent, keepVoucher, kinds, readPublications } from "./kinds/index.js";
import { Named } from "./named.js";
import type { DecidingRequest } from "./requests/request.js";
import { SharedFacts } from "./shared-facts.js";
import { readLoyaltyTiers } from "./situation/loyalty-tiers.js";
import { readMemberships } from "./situation/memberships.js";
import { idsAndSourceIds, peopleIn, type Subject } from "./situation/subject.js";

/** Reads what the names of the requests mean, and no more: enough to know what to lock. */
export async function readNames(
  db: Queries,
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
): Promise<Named> {
  const named = new Named(catalogue);
  await Promise.all([
    readSubjectNames(db, named, requests),
    ...kinds.map(({ object, readNames }) => {
      const wanted = readNames && wantedOf(named, requests, object);
      return wanted && readNames(db, named, wanted);
    }),
  ]);
  await findRules(named, requests);
  return named;
}

/** Makes known what no statement finds; before anything is read, since it says what there is to read. */
function keepUnsaved(shared: SharedFacts, requests: readonly DecidingRequest[]): void {
  for (const { unsaved } of requests) {
    if (!unsaved) continue;
    const { voucher, rules } = unsaved;
    keepVoucher(shared, voucher);
    const ruled = { rules, object: "voucher" as const, object_id: voucher.id, campaign_id: null };
    keepRuled(shared, { object: "voucher", id: voucher.id }, ruled);
  }
}

/**
 * Reads everything that a decision looks at, in two stages: the situations and the candidates, then what the candidates'
 * rules count and ask of the customers. The first statements are sent before anything is awaited, so that on the
 * connection of a transaction they run right after whatever was sent there before.
 * @param named somebody records, under the keys of what the names mean; what that was found to be a moment ago, null where it was locked
 * without being told
 */
export async function readFacts(
  db: Queries,
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
  named?: Named | null,
): Promise<SharedFacts> {
  const shared = new SharedFacts(catalogue);
  keepUnsaved(shared, requests);
  const known_units = requests.flatMap((request) => unitsGiven(shared, request));
  await Promise.all([
    readSituations(db, shared, requests, known_units, named !== undefined),
    readRedeemables(db, shared, requests, named),
  ]);
  // What codes give away is only known now; it is rare.
  const units = requests.flatMap((request) => unitsGiven(shared, request));
  if (units.length > known_units.length) await readLines(db, shared, requests, units);
  await readCounted(db, shared, requests);
  return shared;
}

/** Of the second stage: the candidates in full, where the situations have been read before. */
export async function readCandidates(
  db: Queries,
  shared: SharedFacts,
  requests: readonly DecidingRequest[],
): Promise<void> {
  await readRedeemables(db, shared, requests);
  const units = requests.flatMap((request) => unitsGiven(shared, request));
  if (units.length > 0) await readLines(db, shared, requests, units);
}

const readRedeemables = (
  db: Queries,
  shared: SharedFacts,
  requests: readonly DecidingRequest[],
  named?: Named | null,
) =>
  Promise.all(
    kinds.map(({ object, readFacts }) => {
      const wanted = readFacts && wantedOf(shared, requests, object);
      return wanted && readFacts(db, shared, wanted, named);
    }),
  );

/** Of the second stage: what the candidates' rules count and ask of the customers. */
export async function readCounted(
  db: Queries,
  shared: SharedFacts,
  requests: readonly DecidingRequest[],
): Promise<void> {
  await findRules(shared, requests);
  await Promise.all([
    readMemberships(
      db,
      shared,
      requests.map((request) => ({ subject: request, segment_ids: segmentsAsked(shared, request) })),
    ),
    readLoyaltyTiers(db, shared, {
      subjects: requests.filter((request) => asksForTiers(shared, request)),
      voucher_ids: requests.flatMap((request) => cardsSpent(shared, request)),
    }),
    readCounters(db, shared, requests),
    readUnitUsage(db, shared, requests),
    readPublications(
      db,
      shared,
      requests.map((request) => ({
        customer: request.customer,
        voucher_ids: publicationsAsked(shared, request),
      })),
    ),
  ]);
}

/**
 * The first stage: who and what is asked about. The same for every decision, also for one without candidates, such as what
 * an event earns.
 * @param unit_types what is given away, beside what the lines name
 * @param is_recording redemptions may follow, under the keys of the customers
 */
export async function readSituations(
  db: Queries,
  shared: SharedFacts,
  subjects: readonly Subject[],
  unit_types: readonly string[] = [],
  is_recording = false,
): Promise<void> {
  const { id: project_id } = shared.catalogue.project;
  const people = subjects.flatMap(peopleIn);
  const [orders] = await Promise.all([
    findOrders(
      db,
      project_id,
      subjects.flatMap(({ order }) => order ?? []),
    ),
    is_recording ? readPeopleToRecord(db, shared, people) : readPeople(db, shared, people),
    readLines(db, shared, subjects, unit_types),
  ]);
  for (const order of orders) if (order) shared.keepOrder(order);
}

async function readPeople(db: Queries, shared: SharedFacts, people: readonly CustomerInput[]): Promise<void> {
  const found = await findNamedCustomers(db, shared.catalogue.project.id, people);
  for (const customer of found) if (customer) shared.keepCustomer(customer);
}

async function readPeopleToRecord(db: Queries, shared: SharedFacts, people: readonly CustomerInput[]): Promise<void> {
  if (people.length === 0) return;
  const found = await findCustomersToRecord(db, shared.catalogue.project.id, idsAndSourceIds(people));
  for (const { is_held_in_rows, ...customer } of found) {
    shared.keepCustomer(customer);
    if (is_held_in_rows) shared.held_in_rows.add(customer.id);
  }
}

async function readLines(
  db: Queries,
  shared: SharedFacts,
  subjects: readonly Subject[],
  unit_types: readonly string[],
): Promise<void> {
  const lines = subjects.flatMap(({ order }) => order?.items ?? []);
  shared.catalogue_of_lines = await catalogueOf(db, shared.catalogue.project.id, lines, unit_types);
}

async function readSubjectNames(db: Queries, named: Named, subjects: readonly Subject[]): Promise<void> {
  const { id: project_id } = named.catalogue.project;
  const customers = subjects.flatMap(peopleIn);
  const orders = subjects.flatMap(({ order }) => order ?? []);
  const [found_customers, found_orders] = await Promise.all([
    customers.length > 0 ? findCustomerNames(db, project_id, idsAndSourceIds(customers)) : [],
    orders.length > 0 ? findOrderNames(db, project_id, idsAndSourceIds(orders)) : [],
  ]);
  for (const customer of found_customers) named.keepCustomer(customer);
  for (const order of found_orders) named.keepOrder(order);
}

/** Finds everything that one request names, never older than the question, and has it used. */
export type Gatherer = <Answer>(
  request: DecidingRequest,
  use: (shared: SharedFacts) => Answer | Promise<Answer>,
) => Promise<Answer>;

/** Facts that several requests look at, and what they hold until the last of them is answered. */
interface Gathered {
  shared: SharedFacts;
  /** Those who were let in on what does not hold, and so are told nothing of it. */
  refused: ReadonlyMap<Call, Problem>;
  release(): void;
}

/**
 * Gathers for decisions that record nothing: requests of a project that come together share every statement
 * (architecture.md §3). What they look at they share too, since none of them changes it.
 */
export function createGatherer(db: Database, catalogues: Catalogues): Gatherer {
  async function gatherTogether(requests: readonly DecidingRequest[]): Promise<Gathered> {
    const [{ project_id }] = requests.map(({ call }) => call) as [Call];
    const version = Math.max(...requests.map(({ call }) => call.version));
    const claim = catalogues.claim();
    try {
      // A first read of a large catalogue takes more than one connection, and should hold none.
      await catalogues.at(db, project_id, version);
      const [shared, refused] = await withHistories(db, project_id, () =>
        db.of(project_id).together(async (queries) => {
          const catalogue = (await catalogues.at(queries, project_id, version)).claimedBy(claim);
          const calls = requests.map(({ call }) => call);
          return Promise.all([readFacts(queries, catalogue, requests), disbelieved(queries, project_id, calls)]);
        }),
      );
      return { shared, refused, release: releasedAfter(requests.length, claim) };
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  /** What is refused to requests in company may be one's own: then each is asked alone. */
  async function gatherAll(requests: readonly DecidingRequest[]): Promise<[DecidingRequest, Gathered | Problem][]> {
    try {
      const gathered = await gatherTogether(requests);
      return requests.map((request) => [request, gathered]);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const [first] = requests;
      if (requests.length === 1 && first) return [[first, error]];
      const alone: [DecidingRequest, Gathered | Problem][] = [];
      for (const request of requests) alone.push(...(await gatherAll([request])));
      return alone;
    }
  }

  const gather = sharedRead<DecidingRequest, Gathered | Problem>(
    async (requests) => {
      return new Map(await gatherAll(requests));
    },
    { at_once: 4, keys_max: 64, groupOf: ({ call }) => call.project_id },
  );
  return async (request, use) => {
    const gathered = await gather(request);
    if (!gathered) throw new Error("a read answers each of its questions");
    if (gathered instanceof Problem) throw gathered;
    try {
      const refusal = gathered.refused.get(request.call);
      if (refusal) throw refusal;
      return await use(gathered.shared);
    } finally {
      gathered.release();
    }
  };
}

function releasedAfter(users: number, claim: Claim): () => void {
  let left = users;
  return () => {
    left -= 1;
    if (left === 0) claim.release();
  };
}
