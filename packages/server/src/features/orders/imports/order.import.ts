import { metadataPlaces } from "../../../platform/http/metadata.js";
import { Problem, problems } from "../../../platform/http/problems.js";
import { type Change, readUnderKeys } from "../../../recording/index.js";
import { the_service } from "../../../terms/index.js";
import type { AsyncJob } from "../../async-actions/index.js";
import { changedUntold, findNamedCustomers } from "../../customers/index.js";
import { type ImportKind, type ImportTurn, importJob, type RowOutcome, readingFirst } from "../../imports/index.js";
import { assertMetadata } from "../../projects/index.js";
import { formerCustomer } from "../order.events.js";
import type { Order } from "../order.js";
import { OrderCreate } from "../order.schemas.js";
import { assertSourceIdFree, layOver, orderKeys } from "../order.service.js";
import { findOrders } from "../order.store.js";
import { type People, peopleIn, peopleKeys } from "../order-people.js";
import { heldBack } from "./held-back.js";

/** `ORDERS.IMPORT` (rules.md §19): an order with its people has six keys. */
export const ordersImport: ImportKind<OrderCreate> = {
  type: "ORDERS.IMPORT",
  noun: "order",
  told_by: "source_id",
  rows: { start: 20, max: 60 },
  apply: readingFirst(importOrders),
};

interface Found {
  order: Order | undefined;
  people: People;
}

/** Takes rows up to the first that must see what one before it leaves. */
async function importOrders(
  change: Change,
  turn: ImportTurn<object>,
  rows: readonly OrderCreate[],
): Promise<RowOutcome[]> {
  const { project_id } = turn;
  const found = await readUnderKeys(
    change.tx,
    () => findAll(change, project_id, rows),
    (all) =>
      all.flatMap(({ order, people }, i) => {
        const row = rows[i] as OrderCreate;
        return [...orderKeys(project_id, row, order), ...peopleKeys(project_id, peopleIn(row), people)];
      }),
  );
  const outcomes: RowOutcome[] = [];
  const met = new Set<string>();
  for (const [i, row] of rows.entries()) {
    const one = found[i] as Found;
    const names = namesIn(row, one);
    if (names.some((name) => met.has(name)) || (i > 0 && overrides(row))) break;
    for (const name of names) met.add(name);
    outcomes.push(await importOrder(change, turn, row, one));
    if (overrides(row)) break;
  }
  return outcomes;
}

/** All of a row is written or nothing. Nobody outside is told, and points are for orders that are sent alone; segments look again. */
async function importOrder(
  change: Change,
  turn: ImportTurn<object>,
  row: OrderCreate,
  found: Found,
): Promise<RowOutcome> {
  const { project_id, metadata_schemas } = turn;
  const cause = { ...change.cause, metadata_schemas };
  const held = heldBack(change, cause);
  try {
    assertKnown(row, found);
    assertMetadata(turn, places, row, ["order_item"]);
    await assertSourceIdFree(change.tx, project_id, row, found.order);
    const saved = await layOver(held.change, { ...turn, caller: the_service }, row, found);
    held.release();
    if (saved.customer_id) change.tell(changedUntold(saved.customer_id));
    change.tell(...formerCustomer(found.order, saved));
    return { is_new: !found.order };
  } catch (error) {
    if (error instanceof Problem) return { refused: error.message };
    throw error;
  }
}

const places = metadataPlaces(OrderCreate);

async function findAll({ tx }: Change, project_id: string, rows: readonly OrderCreate[]): Promise<Found[]> {
  const named = rows.map(peopleIn);
  const orders = await findOrders(tx, project_id, rows);
  const people = await findNamedCustomers(
    tx,
    project_id,
    named.flatMap(({ customer, referrer }) => [customer, referrer]),
  );
  return orders.map((order, i) => ({ order, people: { customer: people[2 * i], referrer: people[2 * i + 1] } }));
}

/** An unknown id is the caller's mistake, an unknown source id a new order, or a new customer. */
function assertKnown(row: OrderCreate, { order, people }: Found): void {
  const { customer, referrer } = peopleIn(row);
  if (row.id && !order) throw problems.notFound("order", row.id);
  if (customer?.id && !people.customer) throw problems.notFound("customer", customer.id);
  if (referrer?.id && !people.referrer) throw problems.notFound("customer", referrer.id);
}

/** All that it changes, by all its names: who is known by an id may be named by a source id in the next row. */
function namesIn(row: OrderCreate, { order, people }: Found): string[] {
  const { customer, referrer } = peopleIn(row);
  const of_people = [customer?.source_id, referrer?.source_id].concat(
    [people.customer, people.referrer].flatMap((one) => [one?.id, one?.source_id ?? undefined]),
  );
  return [
    ...[row.source_id, order?.source_id, order?.id].flatMap((name) => (name ? `order ${name}` : [])),
    ...new Set(of_people.flatMap((name) => (name ? `customer ${name}` : []))),
  ];
}

/** Whether the catalogue takes over what its lines say: the next row's lines are priced by that. */
const overrides = ({ items }: OrderCreate) =>
  items?.some(({ product, sku }) => product?.override || sku?.override) ?? false;

export const orderImportJobs: readonly AsyncJob[] = [importJob(ordersImport)];
