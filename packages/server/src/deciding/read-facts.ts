import { type CustomerInput, findNamedCustomers } from "../features/customers/index.js";
import { findOrders, type OrderInputBody } from "../features/orders/index.js";
import { catalogueOf } from "../features/products/index.js";
import type { Call, Project } from "../features/projects/index.js";
import { unitTypesOf } from "../features/promotions/index.js";
import { codeKey, findVouchersToDecide, type LockedVoucher } from "../features/vouchers/index.js";
import type { Database, Queries } from "../platform/database.js";
import { problems } from "../platform/http/problems.js";
import { sharedRead } from "../platform/reads.js";
import type { Catalogue, Catalogues } from "./catalogue.js";
import { readCounters } from "./counters.js";
import type { DecidingRequest } from "./request.js";
import { SharedFacts } from "./shared-facts.js";

/** Reads everything that a decision looks at: what the requests name, products of their lines, counters of their rules. */
export async function readFacts(
  db: Queries,
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
): Promise<SharedFacts> {
  const named = await readNamed(db, catalogue, requests);
  const lines = requests.flatMap(({ order }) => order?.items ?? []);
  const unit_types = unitTypes(catalogue, named.vouchers, requests);
  const catalogue_of_lines = await catalogueOf(db, catalogue.project.id, lines, unit_types);
  const shared = new SharedFacts(catalogue, { ...named, catalogue_of_lines });
  await readCounters(db, shared, requests);
  return shared;
}

/** Reads what the names of the requests mean, and no more: enough to know what to lock. */
export async function readNames(
  db: Queries,
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
): Promise<SharedFacts> {
  const catalogue_of_lines = await catalogueOf(db, catalogue.project.id, []);
  return new SharedFacts(catalogue, { ...(await readNamed(db, catalogue, requests)), catalogue_of_lines });
}

async function readNamed(db: Queries, { project }: Catalogue, requests: readonly DecidingRequest[]) {
  const names = requests.flatMap(({ redeemables }) =>
    redeemables.flatMap(({ object, id }) => (object === "voucher" ? id : [])),
  );
  const named_customers = requests.flatMap(({ customer }) => customer ?? []);
  const named_orders = requests.flatMap(({ order }) => order ?? []);
  // One after the other: on the connection of a transaction they could not run at once.
  const vouchers = names.length === 0 ? [] : await readVouchers(db, project, [...new Set(names)]);
  const customers = await findNamedCustomers(db, project.id, named_customers);
  const orders = await findOrders(db, project.id, named_orders);
  return {
    vouchers,
    customers: customers.flatMap((customer) => customer ?? []),
    orders: orders.flatMap((order) => order ?? []),
  };
}

/** What the unit discounts of the requests give away. */
function unitTypes(
  { tiers }: Catalogue,
  vouchers: readonly LockedVoucher[],
  requests: readonly DecidingRequest[],
): string[] {
  const tier_discounts = requests.flatMap(({ redeemables }) =>
    redeemables.flatMap(({ object, id }) => (object === "promotion_tier" ? (tiers.get(id)?.row.discount ?? []) : [])),
  );
  return [...vouchers.flatMap(({ discount }) => discount ?? []), ...tier_discounts].flatMap(unitTypesOf);
}

function readVouchers(db: Queries, project: Project, names: readonly string[]): Promise<LockedVoucher[]> {
  const code_keys = names.map((name) => codeKey(project, name));
  return findVouchersToDecide(db, project.id, { code_keys, ids: names.filter(isId) });
}

/** Finds everything that one request names, never older than the question. */
export type Gatherer = (request: DecidingRequest) => Promise<SharedFacts>;

/**
 * Gathers for decisions that record nothing: requests of a project that come together share every statement
 * (architecture.md §3). What they look at they share too, since none of them changes it.
 */
export function createGatherer(db: Database, catalogues: Catalogues): Gatherer {
  const gather = sharedRead<DecidingRequest, SharedFacts>(
    async (requests) => {
      const found = new Map<DecidingRequest, SharedFacts>();
      for (const of_project of byProject(requests)) {
        const [{ project_id }] = of_project.map(({ call }) => call) as [Call];
        const version = Math.max(...of_project.map(({ call }) => call.version));
        const shared = await readFacts(db, await catalogues.at(db, project_id, version), of_project);
        for (const request of of_project) found.set(request, shared);
      }
      return found;
    },
    { at_once: 4, keys_max: 64 },
  );
  return async (request) => {
    const shared = await gather(request);
    if (!shared) throw new Error("a read answers each of its questions");
    return shared;
  };
}

function byProject(requests: readonly DecidingRequest[]): DecidingRequest[][] {
  const groups = new Map<string, DecidingRequest[]>();
  for (const request of requests) {
    const { project_id } = request.call;
    groups.set(project_id, [...(groups.get(project_id) ?? []), request]);
  }
  return [...groups.values()];
}

const isId = (name: string) => name.startsWith("v_");

/** An id that names nothing is the caller's mistake; an unknown source id is a newcomer (redemption.md §4 A7). */
export function assertKnown(shared: SharedFacts, { customer, order }: DecidingRequest): void {
  if (customer?.id && !shared.customer(customer as CustomerInput)) throw problems.notFound("customer", customer.id);
  if (order?.id && !shared.order(order as OrderInputBody)) throw problems.notFound("order", order.id);
}
