import type { Catalogue, Catalogues } from "../catalogue/index.js";
import { findCustomerNames, findNamedCustomers } from "../features/customers/index.js";
import { findOrderNames, findOrders } from "../features/orders/index.js";
import { catalogueOf } from "../features/products/index.js";
import type { Call } from "../features/projects/index.js";
import { tierShelf } from "../features/promotions/index.js";
import { codeKey, findNamedVouchers, findVouchersToDecide } from "../features/vouchers/index.js";
import type { Database, Queries } from "../platform/database.js";
import { sharedRead } from "../platform/reads.js";
import { unitTypesOf } from "../terms/index.js";
import { readCounters } from "./counting/counters.js";
import { readUnitUsage } from "./counting/unit-usage-facts.js";
import { Named } from "./named.js";
import type { DecidingRequest } from "./requests/request.js";
import { SharedFacts } from "./shared-facts.js";
import { readMemberships } from "./situation/memberships.js";

/**
 * Reads everything that a decision looks at: what the requests name, products of their lines, then what their rules count.
 * The first statements are sent before anything is awaited, so that on the connection of a transaction they run right after
 * whatever was sent there before.
 */
export async function readFacts(
  db: Queries,
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
): Promise<SharedFacts> {
  const { id: project_id } = catalogue.project;
  const lines = requests.flatMap(({ order }) => order?.items ?? []);
  const tier_units = unitsOfTiers(catalogue, requests);
  const [found, known_lines] = await Promise.all([
    readNamed(db, catalogue, requests),
    catalogueOf(db, project_id, lines, tier_units),
  ]);
  const voucher_units = found.vouchers.flatMap(({ discount }) => (discount ? unitTypesOf(discount) : []));
  // What codes give away is only known now; it is rare.
  const catalogue_of_lines =
    voucher_units.length === 0
      ? known_lines
      : await catalogueOf(db, project_id, lines, [...tier_units, ...voucher_units]);
  const shared = new SharedFacts(catalogue, found, catalogue_of_lines);
  const [memberships] = await Promise.all([
    readMemberships(db, shared, requests),
    readCounters(db, shared, requests),
    readUnitUsage(db, shared, requests),
  ]);
  shared.memberships = memberships;
  return shared;
}

/** Reads what the names of the requests mean, and no more: enough to know what to lock. */
export async function readNames(
  db: Queries,
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
): Promise<Named> {
  const { vouchers, customers, orders } = namesOf(catalogue, requests);
  const { id: project_id } = catalogue.project;
  const [found_vouchers, found_customers, found_orders] = await Promise.all([
    vouchers ? findNamedVouchers(db, project_id, vouchers) : [],
    customers.length > 0 ? findCustomerNames(db, project_id, idsAndSourceIds(customers)) : [],
    orders.length > 0 ? findOrderNames(db, project_id, idsAndSourceIds(orders)) : [],
  ]);
  return new Named(catalogue, { vouchers: found_vouchers, customers: found_customers, orders: found_orders });
}

async function readNamed(db: Queries, catalogue: Catalogue, requests: readonly DecidingRequest[]) {
  const { vouchers, customers, orders } = namesOf(catalogue, requests);
  const { id: project_id } = catalogue.project;
  const [found_vouchers, found_customers, found_orders] = await Promise.all([
    vouchers ? findVouchersToDecide(db, project_id, vouchers) : [],
    findNamedCustomers(db, project_id, customers),
    findOrders(db, project_id, orders),
  ]);
  return {
    vouchers: found_vouchers,
    customers: found_customers.flatMap((customer) => customer ?? []),
    orders: found_orders.flatMap((order) => order ?? []),
  };
}

/** What the requests name: vouchers by code or id (null for none), customers and orders as they were sent. */
function namesOf({ project }: Catalogue, requests: readonly DecidingRequest[]) {
  const codes = new Set(
    requests.flatMap(({ redeemables }) => redeemables.flatMap(({ object, id }) => (object === "voucher" ? id : []))),
  );
  const code_keys = [...codes].map((code) => codeKey(project, code));
  return {
    vouchers: codes.size === 0 ? null : { code_keys, ids: [...codes].filter(isId) },
    customers: requests.flatMap(({ customer }) => customer ?? []),
    orders: requests.flatMap(({ order }) => order ?? []),
  };
}

/** An id wins over a source id. */
const idsAndSourceIds = (named: readonly { id?: string | null; source_id?: string | null }[]) => ({
  ids: named.flatMap(({ id }) => id || []),
  source_ids: named.flatMap(({ id, source_id }) => (id ? [] : source_id || [])),
});

/** What the unit discounts of the requests' tiers give away. */
function unitsOfTiers(catalogue: Catalogue, requests: readonly DecidingRequest[]): string[] {
  const tiers = catalogue.shelf(tierShelf);
  const discounts = requests.flatMap(({ redeemables }) =>
    redeemables.flatMap(({ object, id }) =>
      object === "promotion_tier" ? (tiers.get(id)?.discount.discount ?? []) : [],
    ),
  );
  return discounts.flatMap(unitTypesOf);
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
        // A first read of a large catalogue takes more than one connection, and should hold none.
        await catalogues.at(db, project_id, version);
        const shared = await db.together(async (queries) =>
          readFacts(queries, await catalogues.at(queries, project_id, version), of_project),
        );
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
