import type { Database, Queries, Tx } from "../../platform/db/database.js";
import {
  column,
  exactly,
  forAny,
  type Names,
  probed,
  type Sql,
  selectNamed,
  sql,
  type UniqueColumn,
} from "../../platform/db/sql.js";
import {
  type Columns,
  insertInto,
  int8,
  metadata,
  order_lines,
  table,
  text,
  timestamptz,
  upsertInto,
} from "../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import { part } from "../../recording/index.js";
import { metadataKeysOf } from "../async-actions/index.js";
import type { Order } from "./order.js";

const columns: Columns<Order> = {
  id: text,
  source_id: text,
  status: text,
  customer_id: text,
  referrer_id: text,
  currency: text,
  version: int8,
  amount: int8,
  initial_amount: int8,
  discount_amount: int8,
  items_discount_amount: int8,
  applied_discount_amount: int8,
  items_applied_discount_amount: int8,
  total_amount: int8,
  items: order_lines,
  metadata,
  paid_at: timestamptz,
  created_at: timestamptz,
  updated_at: timestamptz,
};
const orders = table("orders", columns, ["status", "referrer_id", "currency", "version", "updated_at"]);
const { fields } = orders;

/** For a purge of a key. */
export const metadata_keys = metadataKeysOf(orders);

/** States that a redemption left and that were changed since. */
const order_states = table("order_states", columns);

/** What a request calls an order. */
export interface OrderRef {
  id?: string | null;
  source_id?: string | null;
}

/** By id or by source id; an id wins where one text is both. */
export const findOrder = (db: Queries, project_id: string, id_or_source_id: string) =>
  db.maybe<Order>(sql`
    select ${fields} from orders
     where orders.project_id = ${project_id}
       and (orders.id = ${id_or_source_id} or orders.source_id = ${id_or_source_id})
     order by orders.id = ${id_or_source_id} desc
     limit 1`);

/** The named orders in the order of the refs; undefined where a name is unknown or missing. An id wins over a source id. */
export async function findOrders(
  db: Queries,
  project_id: string,
  refs: readonly OrderRef[],
): Promise<(Order | undefined)[]> {
  const ids = refs.flatMap(({ id }) => id || []);
  const source_ids = refs.flatMap(({ id, source_id }) => (id ? [] : source_id || []));
  const [by_id, by_source_id] = await Promise.all([
    ids.length === 0 ? [] : findOrdersByIds(db, project_id, ids),
    source_ids.length === 0 ? [] : findOrdersBySourceIds(db, project_id, source_ids),
  ]);
  const ids_found = new Map(by_id.map((order) => [order.id, order]));
  const source_ids_found = new Map(by_source_id.map((order) => [order.source_id, order]));
  return refs.map(({ id, source_id }) => {
    if (id) return ids_found.get(id);
    return source_id ? source_ids_found.get(source_id) : undefined;
  });
}

const by_source_id: UniqueColumn = { table: sql`orders`, column: sql`source_id` };

/** Ids and source ids of the orders that are named by either. */
export const findOrderNames = (db: Queries, project_id: string, names: Names) =>
  db.many<Pick<Order, "id" | "source_id">>(selectNamed(by_source_id, project_id, names, names_alone));

/**
 * The keys of the orders that are named, for `lockNamed`: see `orderKeys`. Those that tell that an order is in use are tried by its id
 * as well.
 */
export const keysOfOrders = (project_id: string, names: Names): Sql =>
  selectNamed(by_source_id, project_id, names, keys);

const names_alone = sql`orders.id, orders.source_id`;
const keys = sql`unnest(array['order:', 'order_in_use:id ']) || orders.id, unnest(array['alone', 'tried'])`;

const findOrdersByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Order>(sql`
    select ${fields} from orders where orders.project_id = ${project_id} and orders.id = any(${ids}::text[])`);

const findOrdersBySourceIds = (db: Queries, project_id: string, source_ids: readonly string[]) =>
  db.many<Order>(sql`
    select ${fields} from ${probed(by_source_id, project_id, source_ids)} where orders.project_id = ${project_id}`);

/**
 * Writes orders, new or known, under the orders' keys. One may come in several states, each of which a redemption left:
 * the last becomes the order's, and those before are kept, with the one that it had until now. Where an order is there that
 * should be new, or has come further meanwhile, the decision was wrong: that is a bug of ours, and nothing is written.
 */
export function saveOrders(project_id: string, saved: readonly Order[]): readonly Sql[] {
  // An empty text names nothing, and could stand only once.
  const states = saved.map((order) => (order.source_id === "" ? { ...order, source_id: null } : order));
  const last = new Map(states.map((order) => [order.id, order]));
  const passed = states.filter((order) => last.get(order.id) !== order);
  const made = [...last.values()].filter(({ version }) => version === 1);
  const moved = [...last.values()].filter(({ version }) => version > 1);
  return [
    ...forAny(moved, (rows) => keepStates(project_id, sql`orders.id = any(${column(rows, "id")}::text[])`)),
    ...forAny(passed, (rows) => insertInto(order_states, project_id, rows)),
    ...forAny(made, (rows) => insertInto(orders, project_id, rows)),
    ...forAny(moved, (rows) => {
      const upsert = upsertInto(orders, project_id, rows, ["currency", "created_at"]);
      return exactly(
        rows.length,
        "orders not changed meanwhile",
        sql`${upsert} where orders.version < excluded.version`,
      );
    }),
  ];
}

/** Keeps the present states that a redemption left, before they are changed or deleted. */
const keepStates = (project_id: string, of: Sql): Sql => sql`
    insert into order_states (project_id, ${order_states.names})
    select orders.project_id, ${fields} from orders
     where orders.project_id = ${project_id} and ${of}
       and exists (select from redemptions
                    where redemptions.project_id = ${project_id} and redemptions.order_id = orders.id
                      and redemptions.order_version = orders.version)`;

/** A state of an order, past or present. */
export interface OrderState {
  id: string;
  version: number;
}

/** The states that are named, in no order. */
export async function findOrderStates(
  db: Queries,
  project_id: string,
  states: readonly OrderState[],
): Promise<Order[]> {
  if (states.length === 0) return [];
  const asked = sql`unnest(${column(states, "id")}::text[], ${column(states, "version")}::bigint[]) as asked (id, version)`;
  return db.many<Order>(sql`
    select ${fields} from ${asked}
      join orders
        on orders.project_id = ${project_id} and orders.id = asked.id and orders.version = asked.version
    union all
    select ${order_states.fields} from ${asked}
      join order_states
        on order_states.project_id = ${project_id} and order_states.id = asked.id and order_states.version = asked.version`);
}

/** Orders as a change leaves them, every state that a redemption left among them. */
export const order_rows = part<Order>("orders", "objects", saveOrders);

/** Drops a customer's orders with the customer. By hand: a foreign key would be asked at every redemption. */
export async function deleteOrdersOf(tx: Tx, project_id: string, customer_id: string): Promise<void> {
  await tx.run(keepStates(project_id, sql`orders.customer_id = ${customer_id}`));
  await tx.run(sql`delete from orders where orders.project_id = ${project_id} and orders.customer_id = ${customer_id}`);
}

/** What redemptions still show of a customer's orders, without what the shop wrote into them. */
export const forgetOrdersOf = (tx: Tx, project_id: string, { id }: { id: string }) =>
  tx.run(sql`
    update order_states
       set source_id = null, metadata = '{}',
           items = coalesce((select json_agg(line.item || '{"metadata": {}}')
                               from jsonb_array_elements(order_states.items::jsonb) as line (item)), '[]')
     where order_states.project_id = ${project_id} and order_states.customer_id = ${id}`);

type OrdersOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at";

export const sort_keys = {
  created_at: { keys: [sql`orders.created_at`, sql`orders.id`] },
  updated_at: { keys: [sql`coalesce(orders.updated_at, orders.created_at)`, sql`orders.id`] },
};

interface OrderFilter {
  status?: string | undefined;
  customer_id?: string | undefined;
  source_id?: string | undefined;
}

const conditionsOf = ({ status, customer_id, source_id }: OrderFilter): Sql[] => [
  ...(status === undefined ? [] : [sql`orders.status = ${status}`]),
  ...(customer_id === undefined ? [] : [sql`orders.customer_id = ${customer_id}`]),
  ...(source_id === undefined ? [] : [sql`orders.source_id = ${source_id}`]),
];

export const listOrders = (
  db: Database,
  project_id: string,
  filter: OrderFilter,
  order: OrdersOrder,
  page: Page,
): Promise<Listed<Order>> =>
  readList<Order>(
    db,
    project_id,
    { table: sql`orders`, fields: fields },
    { conditions: conditionsOf(filter), order: orderOf(order, sort_keys), page },
  );
