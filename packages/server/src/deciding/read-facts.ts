import { type CustomerInput, findNamedCustomers } from "../features/customers/index.js";
import { findOrders, type OrderInputBody } from "../features/orders/index.js";
import { codeKey, findVouchersByCodeKeys, findVouchersByIds, type VoucherRow } from "../features/vouchers/index.js";
import { isoOf } from "../platform/clock.js";
import type { Queries } from "../platform/database.js";
import { problems } from "../platform/http/problems.js";
import type { Catalogue } from "./catalogue.js";
import { findLiveSessions } from "./redemption.store.js";
import type { DecidingRequest } from "./request.js";
import { SharedFacts } from "./shared-facts.js";

/** Reads everything that the requests name: vouchers with their balances, sessions, customers, orders. */
export async function readFacts(
  db: Queries,
  catalogue: Catalogue,
  requests: readonly DecidingRequest[],
): Promise<SharedFacts> {
  const project_id = catalogue.project.id;
  const [vouchers, customers, orders] = await Promise.all([
    readVouchers(db, catalogue, requests),
    findNamedCustomers(
      db,
      project_id,
      requests.flatMap(({ customer }) => customer ?? []),
    ),
    findOrders(
      db,
      project_id,
      requests.flatMap(({ order }) => order ?? []),
    ),
  ]);
  const ids = vouchers.map((voucher) => voucher.id);
  const now = isoOf(requests[0]?.call.instant ?? 0);
  return new SharedFacts(catalogue, {
    vouchers,
    sessions: ids.length === 0 ? [] : await findLiveSessions(db, project_id, ids, now),
    customers: customers.flatMap((customer) => customer ?? []),
    orders: orders.flatMap((order) => order ?? []),
  });
}

async function readVouchers(
  db: Queries,
  { project }: Catalogue,
  requests: readonly DecidingRequest[],
): Promise<VoucherRow[]> {
  const names = [
    ...new Set(
      requests.flatMap(({ redeemables }) => redeemables.flatMap(({ object, id }) => (object === "voucher" ? id : []))),
    ),
  ];
  if (names.length === 0) return [];
  const ids = names.filter((name) => name.startsWith("v_"));
  const [by_code, by_id] = await Promise.all([
    findVouchersByCodeKeys(
      db,
      project.id,
      names.map((name) => codeKey(project, name)),
    ),
    ids.length === 0 ? [] : findVouchersByIds(db, project.id, ids),
  ]);
  return [...by_code, ...by_id];
}

/** An id that names nothing is the caller's mistake; an unknown source id is a newcomer (redemption.md §4 A7). */
export function assertKnown(shared: SharedFacts, { customer, order }: DecidingRequest): void {
  if (customer?.id && !shared.customer(customer as CustomerInput)) throw problems.notFound("customer", customer.id);
  if (order?.id && !shared.order(order as OrderInputBody)) throw problems.notFound("order", order.id);
}
