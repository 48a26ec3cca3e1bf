import { type CustomerInput, findNamedCustomers } from "../features/customers/index.js";
import { findOrders, type OrderInputBody } from "../features/orders/index.js";
import { catalogueOf } from "../features/products/index.js";
import type { Project } from "../features/projects/index.js";
import { unitTypesOf } from "../features/promotions/index.js";
import { codeKey, findVouchersToDecide, type LockedVoucher } from "../features/vouchers/index.js";
import type { Database, Queries } from "../platform/database.js";
import { problems } from "../platform/http/problems.js";
import { sharedRead } from "../platform/reads.js";
import type { Catalogue } from "./catalogue.js";
import { readCounters } from "./counters.js";
import type { DecidingRequest } from "./request.js";
import { SharedFacts } from "./shared-facts.js";

/** Finds the vouchers that names mean, each a code or an id. */
export type VoucherReader = (project: Project, names: readonly string[]) => Promise<LockedVoucher[]>;

/** Reads everything that the requests name: vouchers with their balances and locks, customers, orders, products. */
export async function readFacts(
  db: Queries,
  readVouchers: VoucherReader,
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
): Promise<SharedFacts> {
  const { project } = catalogue;
  const names = requests.flatMap(({ redeemables }) =>
    redeemables.flatMap(({ object, id }) => (object === "voucher" ? id : [])),
  );
  const named_customers = requests.flatMap(({ customer }) => customer ?? []);
  const named_orders = requests.flatMap(({ order }) => order ?? []);
  // One after the other: on the connection of a transaction they could not run at once.
  const vouchers = names.length === 0 ? [] : await readVouchers(project, [...new Set(names)]);
  const customers = await findNamedCustomers(db, project.id, named_customers);
  const orders = await findOrders(db, project.id, named_orders);
  const lines = requests.flatMap(({ order }) => order?.items ?? []);
  const catalogue_of_lines = await catalogueOf(db, project.id, lines, unitTypes(catalogue, vouchers, requests));
  const shared = new SharedFacts(catalogue, {
    catalogue_of_lines,
    vouchers,
    customers: customers.flatMap((customer) => customer ?? []),
    orders: orders.flatMap((order) => order ?? []),
  });
  await readCounters(db, shared, requests);
  return shared;
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

/** Reads vouchers on one connection: what a recording does under its keys. */
export function voucherReaderOn(db: Queries): VoucherReader {
  return (project, names) =>
    findVouchersToDecide(db, project.id, {
      code_keys: names.map((name) => codeKey(project, name)),
      ids: names.filter(isId),
    });
}

/**
 * Reads vouchers for many validations at once, each no older than its question. Ids are asked for alone: they are rare,
 * and a statement that looks for either is slower for everybody.
 */
export function sharedVoucherReader(db: Database): VoucherReader {
  const find = sharedRead<string, LockedVoucher>(
    async (keys) => {
      const by_project = new Map<string, string[]>();
      for (const key of keys) {
        const [project_id, code_key] = splitKey(key);
        by_project.set(project_id, [...(by_project.get(project_id) ?? []), code_key]);
      }
      const found = new Map<string, LockedVoucher>();
      for (const [project_id, code_keys] of by_project) {
        for (const voucher of await findVouchersToDecide(db, project_id, { code_keys, ids: [] })) {
          found.set(`${project_id} ${voucher.code_key}`, voucher);
        }
      }
      return found;
    },
    { at_once: 4, keys_max: 200 },
  );
  return async (project, names) => {
    if (names.some(isId)) return voucherReaderOn(db)(project, names);
    const vouchers = await Promise.all(names.map((name) => find(`${project.id} ${codeKey(project, name)}`)));
    return vouchers.flatMap((voucher) => voucher ?? []);
  };
}

/** A project's id has no blank; a code may. */
function splitKey(key: string): [project_id: string, code_key: string] {
  const blank = key.indexOf(" ");
  return [key.slice(0, blank), key.slice(blank + 1)];
}

const isId = (name: string) => name.startsWith("v_");

/** An id that names nothing is the caller's mistake; an unknown source id is a newcomer (redemption.md §4 A7). */
export function assertKnown(shared: SharedFacts, { customer, order }: DecidingRequest): void {
  if (customer?.id && !shared.customer(customer as CustomerInput)) throw problems.notFound("customer", customer.id);
  if (order?.id && !shared.order(order as OrderInputBody)) throw problems.notFound("order", order.id);
}
