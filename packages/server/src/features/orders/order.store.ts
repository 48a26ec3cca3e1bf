import type { Queries, Tx } from "../../platform/database.js";
import { orderBy, type Page } from "../../platform/http/lists.js";
import { sql } from "../../platform/sql.js";
import { int8, jsonb, table, text, timestamptz, upsertInto } from "../../platform/table.js";
import { part } from "../../recording/index.js";
import type { Order } from "./order.js";

const orders = table<Order>("orders", {
  id: text,
  source_id: text,
  status: text,
  customer_id: text,
  referrer_id: text,
  currency: text,
  amount: int8,
  initial_amount: int8,
  discount_amount: int8,
  items_discount_amount: int8,
  applied_discount_amount: int8,
  items_applied_discount_amount: int8,
  total_amount: int8,
  items: jsonb,
  metadata: jsonb,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const { fields } = orders;

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

/** Ids and source ids of the orders that are named by either. */
export const findOrderNames = (
  db: Queries,
  project_id: string,
  { ids, source_ids }: { ids: readonly string[]; source_ids: readonly string[] },
) =>
  db.many<Pick<Order, "id" | "source_id">>(sql`
    select orders.id, orders.source_id from orders
     where orders.project_id = ${project_id} and orders.id = any(${ids}::text[])
    union all
    select orders.id, orders.source_id
      from unnest(${source_ids}::text[]) as named (source_id),
           lateral (select * from orders
                     where orders.project_id = ${project_id} and orders.source_id = named.source_id limit 1) as orders`);

const findOrdersByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Order>(sql`
    select ${fields} from orders where orders.project_id = ${project_id} and orders.id = any(${ids}::text[])`);

const findOrdersBySourceIds = (db: Queries, project_id: string, source_ids: readonly string[]) =>
  db.many<Order>(sql`
    select ${fields}
      from unnest(${source_ids}::text[]) as named (source_id),
           -- Looked up one by one: no statistics, however old, make this anything but a probe of the unique index.
           lateral (select * from orders
                     where orders.project_id = ${project_id} and orders.source_id = named.source_id limit 1) as orders`);

/** Writes whole orders, new or known. Runs under the orders' keys. */
export async function saveOrders(tx: Tx, project_id: string, saved: readonly Order[]): Promise<void> {
  if (saved.length === 0) return;
  // An empty text names nothing, and could stand only once.
  const rows = saved.map((order) => ({ ...order, source_id: order.source_id || null }));
  await tx.run(upsertInto(orders, project_id, rows, ["currency", "created_at"]));
}

/** Orders as a change leaves them: of several states of one the last counts. */
export const order_rows = part<Order>("orders", "objects", saveOrders, ({ id }) => id);

/** Drops a customer's orders with the customer. By hand: a foreign key would be asked at every redemption. */
export const deleteOrdersOf = (tx: Tx, project_id: string, customer_id: string) =>
  tx.run(sql`delete from orders where orders.project_id = ${project_id} and orders.customer_id = ${customer_id}`);

export type OrdersOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at";

export async function listOrders(
  db: Queries,
  project_id: string,
  order: OrdersOrder,
  page: Page,
): Promise<{ orders: Order[]; total: number }> {
  const columns = {
    created_at: sql`orders.created_at`,
    updated_at: sql`coalesce(orders.updated_at, orders.created_at)`,
  };
  const [found, { total }] = await Promise.all([
    db.many<Order>(sql`
      select ${fields} from orders
       where orders.project_id = ${project_id}
       order by ${orderBy(order, columns, sql`orders.id`)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`select count(*) as total from orders where orders.project_id = ${project_id}`),
  ]);
  return { orders: found, total };
}
