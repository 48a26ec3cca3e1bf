import { dropEventsOf } from "../../events/index.js";
import { isoOf } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { type Change, change, readUnderKeys, underKeys } from "../../recording/index.js";
import type { Call } from "../projects/index.js";
import { customerEvent } from "./customer.events.js";
import { type Customer, type CustomerInput, changed, newCustomer } from "./customer.js";
import type { CustomerBody } from "./customer.schemas.js";
import { customer_rows, deleteCustomer, findCustomer } from "./customer.store.js";
import { type CustomerSummary, summariesOf } from "./customer-summary.store.js";
import { customerBesideKey, customerKeys, findKnownCustomer, findKnownName } from "./named-customer.js";
import { type Erasure, lookForTracesLater } from "./traces.js";

/** `POST /v1/customers`: creates, or changes the customer that the id or source id names (rules.md §18). */
export async function upsertCustomer(context: Context, call: Call, input: CustomerInput): Promise<CustomerBody> {
  return change(context, call, async (change) => {
    const known = await underKeys<Pick<Customer, "id"> | undefined, Customer | undefined>(change.tx, {
      resolve: () => findKnownName(change.tx, call.project_id, input),
      keysOf: (found) => customerKeys(call.project_id, input, found),
      read: () => findKnownCustomer(change.tx, call.project_id, input),
    });
    if (!known) call.metadata_schemas.assertFits("customer", input.metadata, { is_made: true });
    const saved = known
      ? { ...changed(known, input), updated_at: call.instant }
      : newCustomer(newId("cust"), input, call.instant);
    return store(change, saved, known ? "customer.updated" : "customer.created");
  });
}

export async function updateCustomer(
  context: Context,
  call: Call,
  id: string,
  input: CustomerInput,
): Promise<CustomerBody> {
  return change(context, call, async (change) => {
    const known = await lockKnownCustomer(change.tx, call.project_id, id);
    return store(change, { ...changed(known, input), updated_at: call.instant }, "customer.updated");
  });
}

export async function removeCustomer(
  context: Context,
  call: Call,
  id: string,
  erasures: readonly Erasure[],
): Promise<void> {
  await change(context, call, async ({ tx, tell }) => {
    const known = await lockForDeletion(tx, call.project_id, id);
    await eraseWithin(tx, call.project_id, known.id, [dropEventsOf, ...erasures]);
    await lookForTracesLater(tx, call, known.id, null);
    tell(customerEvent("customer.deleted", known));
  });
}

/** Under the customer's key. */
export async function eraseWithin(
  tx: Tx,
  project_id: string,
  customer_id: string,
  erasures: readonly Erasure[],
): Promise<void> {
  for (const erase of erasures) await erase(tx, project_id, customer_id);
  await deleteCustomer(tx, project_id, customer_id);
}

export async function readCustomer({ db }: Context, call: Call, id: string): Promise<CustomerBody> {
  const customer = await findCustomer(db, call.project_id, id);
  if (!customer) throw problems.notFound("customer", id);
  return bodyOf(db, call.project_id, customer);
}

const lockKnownCustomer = (
  tx: Tx,
  project_id: string,
  id_or_source_id: string,
  keysBeside: (customer: Customer) => LockKey[] = () => [],
): Promise<Customer> =>
  readUnderKeys(
    tx,
    async () => {
      const customer = await findCustomer(tx, project_id, id_or_source_id);
      if (!customer) throw problems.notFound("customer", id_or_source_id);
      return customer;
    },
    (found) => [{ project_id, kind: "customer", id: found.id }, ...keysBeside(found)],
  );

/** The customer, whom nobody else writes of until the deletion is through. */
export const lockForDeletion = (tx: Tx, project_id: string, id_or_source_id: string): Promise<Customer> =>
  lockKnownCustomer(tx, project_id, id_or_source_id, ({ id }) => [customerBesideKey(project_id, id)]);

async function store(
  { tx, cause: { project_id }, add, tell }: Change,
  customer: Customer,
  type: "customer.created" | "customer.updated",
): Promise<CustomerBody> {
  add(customer_rows, customer);
  tell(customerEvent(type, customer));
  return bodyOf(tx, project_id, customer);
}

async function bodyOf(db: Queries, project_id: string, customer: Customer): Promise<CustomerBody> {
  const [summary] = await summariesOf(db, project_id, [customer.id]);
  return toCustomerBody(customer, summary);
}

export async function toCustomerBodies(
  db: Queries,
  project_id: string,
  customers: readonly Customer[],
): Promise<CustomerBody[]> {
  const ids = customers.map((customer) => customer.id);
  const summaries = new Map((await summariesOf(db, project_id, ids)).map((summary) => [summary.customer_id, summary]));
  return customers.map((customer) => toCustomerBody(customer, summaries.get(customer.id)));
}

const empty_address = { city: null, state: null, line_1: null, line_2: null, country: null, postal_code: null };

/** A customer as the API shows one; without a summary nothing has been counted of them (rules.md §18). */
export function toCustomerBody(customer: Customer, summary: CustomerSummary | undefined): CustomerBody {
  return {
    id: customer.id,
    source_id: customer.source_id,
    name: customer.name,
    email: customer.email,
    phone: customer.phone,
    description: customer.description,
    birthdate: customer.birthdate ?? undefined,
    birthday: customer.birthday ?? undefined,
    address: customer.address && { ...empty_address, ...customer.address },
    metadata: customer.metadata,
    system_metadata: customer.system_metadata,
    summary: summaryBody(summary),
    loyalty: {
      points: summary?.loyalty_points ?? 0,
      referred_customers: summary?.referred_customers ?? 0,
      campaigns: { ...referringCampaigns(summary), ...summary?.loyalty_campaigns },
    },
    referrals: referralsBody(summary),
    created_at: isoOf(customer.created_at),
    updated_at: isoOf(customer.updated_at) ?? undefined,
    object: "customer",
  };
}

/** Campaigns by whose codes others came, beside the programs whose cards are held. */
const referringCampaigns = (summary: CustomerSummary | undefined) =>
  Object.fromEntries(
    Object.entries(summary?.referred_campaigns ?? {}).map(([name, referred_customers]) => [
      name,
      { points: 0, referred_customers },
    ]),
  );

const referralsBody = (summary: CustomerSummary | undefined): CustomerBody["referrals"] => ({
  total: summary?.referrals_total ?? 0,
  campaigns: (summary?.referrals ?? []).map(({ at, ...referral }) => ({ ...referral, date: isoOf(at) })),
});

function summaryBody(summary: CustomerSummary | undefined): CustomerBody["summary"] {
  const { orders_amount = 0, orders_count = 0, last_order_date = null } = summary ?? {};
  return {
    redemptions: {
      total_redeemed: summary?.succeeded ?? 0,
      total_failed: summary?.failed ?? 0,
      total_succeeded: summary?.succeeded ?? 0,
      total_rolled_back: summary?.rolled_back ?? 0,
      total_rollback_failed: summary?.rollback_failed ?? 0,
      total_rollback_succeeded: summary?.rolled_back ?? 0,
      gift: { redeemed_amount: summary?.gift_redeemed ?? 0, amount_to_go: summary?.gift_to_go ?? 0 },
      loyalty_card: { redeemed_points: summary?.points_redeemed ?? 0, points_to_go: summary?.points_to_go ?? 0 },
    },
    orders: {
      total_amount: orders_amount,
      total_count: orders_count,
      average_amount: orders_count === 0 ? 0 : Math.round(orders_amount / orders_count),
      last_order_amount: summary?.last_order_amount ?? 0,
      last_order_date: isoOf(last_order_date) ?? undefined,
    },
  };
}
