import { normaliseOrder, type RunningOrder } from "@guerdon/engine";
import type { Context } from "../../platform/context.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import type { LockKey } from "../../platform/db/locks.js";
import { listBody } from "../../platform/http/lists.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { countsOf, pageOf } from "../../platform/listing/index.js";
import { type Change, change, readUnderKeys } from "../../recording/index.js";
import { findCustomer } from "../customers/index.js";
import { catalogueOf, type OverridingCall } from "../products/index.js";
import type { Call } from "../projects/index.js";
import { orderEvents } from "./order.events.js";
import { moneyOf, type Order, paidAt } from "./order.js";
import { toOrderBodies, toOrderBody } from "./order.render.js";
import type { OrderBody, OrderCreate, OrdersAsked, OrderUpdate } from "./order.schemas.js";
import { findOrder, findOrders, listOrders, type OrderRef, order_rows } from "./order.store.js";
import { itemsOf, laidOver, overrideSaid } from "./order-lines.js";
import { findPeople, type People, peopleIn, peopleKeys, upsertPeople } from "./order-people.js";
import { findOrderRedemptions } from "./order-redemptions.store.js";

/** `POST /v1/orders`: creates, or changes the order that the id or source id names (rules.md §19). */
export async function upsertOrder(context: Context, call: Call, input: OrderCreate): Promise<OrderBody> {
  assertInitialQuantities(input);
  return change(context, call, async (change) => {
    const found = await lockNamed(change.tx, call.project_id, input, async () => {
      const [order] = await findOrders(change.tx, call.project_id, [input]);
      if (input.id && !order) throw problems.notFound("order", input.id);
      return order;
    });
    return store(change, call, input, found);
  });
}

export async function updateOrder(context: Context, call: Call, id: string, input: OrderUpdate): Promise<OrderBody> {
  assertInitialQuantities(input);
  return change(context, call, async (change) => {
    const found = await lockNamed(change.tx, call.project_id, input, async () => {
      const order = await findOrder(change.tx, call.project_id, id);
      if (!order) throw problems.notFound("order", id);
      return order;
    });
    return store(change, call, input, found);
  });
}

export async function readOrder({ db }: Context, call: Call, id: string): Promise<OrderBody> {
  const order = await findOrder(db, call.project_id, id);
  if (!order) throw problems.notFound("order", id);
  return bodyOf(db, call.project_id, order);
}

export async function readOrders({ db }: Context, call: Call, query: OrdersAsked) {
  const { order = "created_at", status, source_id } = query;
  const customer = query.customer === undefined ? undefined : await findCustomer(db, call.project_id, query.customer);
  if (query.customer !== undefined && !customer) return listBody("orders", [] as OrderBody[], 0);
  const page = pageOf(query);
  const listed = await listOrders(db, call.project_id, { status, source_id, customer_id: customer?.id }, order, page);
  return listBody("orders", await toOrderBodies(db, call.project_id, listed.rows), countsOf(listed, page));
}

/** What naming an order locks: its id once it has one, and the source id it is named by or shall have. */
export function orderKeys(
  project_id: string,
  { source_id }: OrderRef,
  known: Pick<Order, "id"> | undefined,
): LockKey[] {
  const keys: LockKey[] = [];
  if (known) keys.push({ project_id, kind: "order", id: known.id });
  // Also where the order has this source id now: it may have been given another by the time the keys are held.
  if (source_id) keys.push({ project_id, kind: "order_source", id: source_id });
  return keys;
}

interface Found {
  order: Order | undefined;
  people: People;
}

/** Locks the order and the people that a request names, and reads them under their keys. */
async function lockNamed(
  tx: Tx,
  project_id: string,
  input: OrderUpdate,
  findNamed: () => Promise<Order | undefined>,
): Promise<Found> {
  const named = peopleIn(input);
  const found = await readUnderKeys(
    tx,
    async () => ({ order: await findNamed(), people: await findPeople(tx, project_id, named) }),
    ({ order, people }) => [...orderKeys(project_id, input, order), ...peopleKeys(project_id, named, people)],
  );
  await assertSourceIdFree(tx, project_id, input, found.order);
  return found;
}

/** A known order may take another source id, but not one that is taken. */
export async function assertSourceIdFree(
  tx: Tx,
  project_id: string,
  { source_id }: OrderRef,
  known: Order | undefined,
): Promise<void> {
  if (!known || !source_id || source_id === known.source_id) return;
  const [holder] = await findOrders(tx, project_id, [{ source_id }]);
  if (holder) throw problems.duplicate("order", source_id, "source_id");
}

/** Writes the order as the request leaves it, the people in it, and what there is to tell about both. */
async function store(change: Change, call: Call, input: OrderUpdate, found: Found): Promise<OrderBody> {
  const saved = await layOver(change, call, input, found);
  change.tell(...orderEvents(found.order, saved));
  return bodyOf(change.tx, call.project_id, saved);
}

/** What has to be known of whoever sends an order. */
type OrderCall = OverridingCall & Pick<Call, "project_id">;

/** Writes the order with the input laid over it, and the people in it; nobody is told of the order yet. */
export async function layOver(
  change: Change,
  call: OrderCall,
  input: OrderUpdate,
  { order: known, people }: Found,
): Promise<Order> {
  const { instant } = call;
  const is_priced_anew = !known || input.items != null || typeof input.amount === "number";
  if (!known) call.metadata_schemas.assertFits("order", input.metadata, { is_made: true });
  const { customer_id, referrer_id } = upsertPeople(change, peopleIn(input), people);
  const status = input.status ?? known?.status ?? "CREATED";
  const saved: Order = {
    ...(known ?? newOrder(call)),
    ...(is_priced_anew ? await priced(change, call, known, input) : {}),
    source_id: input.source_id || (known?.source_id ?? null),
    status,
    paid_at: paidAt(known, status, instant),
    customer_id: customer_id ?? known?.customer_id ?? null,
    referrer_id: referrer_id ?? known?.referrer_id ?? null,
    metadata: { ...known?.metadata, ...input.metadata },
    version: (known?.version ?? 0) + 1,
    updated_at: known ? instant : null,
  };
  change.add(order_rows, saved);
  return saved;
}

function newOrder({ project, instant }: OrderCall): Order {
  return {
    id: newId("ord"),
    source_id: null,
    status: "CREATED",
    customer_id: null,
    referrer_id: null,
    currency: project.currency,
    version: 1,
    ...moneyOf({ lines: [], amount: undefined, initial_amount: undefined, discount_amount: 0, metadata: {} }),
    items: [],
    metadata: {},
    paid_at: null,
    created_at: instant,
    updated_at: null,
  };
}

async function priced(change: Change, call: OrderCall, known: Order | undefined, input: OrderUpdate) {
  const catalogue = await catalogueOf(change.tx, call.project_id, input.items ?? []);
  const running = normaliseOrder(laidOver(known, input, catalogue));
  assertCountable(running);
  overrideSaid(change, call, input.items, running);
  return { ...moneyOf(running), items: itemsOf(running) };
}

/** Prices times quantities, and their sum, must stay whole numbers that JSON holds exactly. */
function assertCountable({ lines }: RunningOrder): void {
  let sum = 0;
  for (const [i, { amount = 0 }] of lines.entries()) {
    sum += amount;
    if (!Number.isSafeInteger(sum))
      throw problems.invalidPayload(`Property .items[${i}].amount must keep the order below 2^53`);
  }
}

/**
 * Only the snapshot of the order itself counts, but a wrong one is told (rules.md §19).
 * @param at where the order stands in the body
 */
export function assertInitialQuantities({ items }: OrderUpdate, at = ""): void {
  for (const [i, { initial_quantity }] of (items ?? []).entries()) {
    if (initial_quantity === null || initial_quantity === undefined || Number(initial_quantity) >= 1) continue;
    throw problems.invalidPayload(`Property ${at}.items[${i}].initial_quantity cannot be lower than 1`);
  }
}

async function bodyOf(db: Queries, project_id: string, order: Order): Promise<OrderBody> {
  return toOrderBody(order, await findOrderRedemptions(db, project_id, [order.id]));
}
