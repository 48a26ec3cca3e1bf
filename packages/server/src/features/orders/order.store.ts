import { isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/database.js";
import { orderBy, type Page } from "../../platform/http/lists.js";
import { column, jsonColumn, sql } from "../../platform/sql.js";
import { part } from "../../recording/index.js";
import type { Order } from "./order.js";

const fields = sql`
  orders.id, orders.source_id, orders.status, orders.customer_id, orders.referrer_id, orders.currency, orders.amount,
  orders.initial_amount, orders.discount_amount, orders.items_discount_amount, orders.applied_discount_amount,
  orders.items_applied_discount_amount, orders.total_amount, orders.items, orders.metadata, orders.created_at,
  orders.updated_at`;

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
export async function saveOrders(tx: Tx, project_id: string, orders: readonly Order[]): Promise<void> {
  if (orders.length === 0) return;
  const rows = orders.map((order) => ({
    ...order,
    // An empty text names nothing, and could stand only once.
    source_id: order.source_id || null,
    created_at: isoOf(order.created_at),
    updated_at: isoOf(order.updated_at),
  }));
  await tx.run(sql`
    insert into orders (project_id, id, source_id, status, customer_id, referrer_id, currency, amount, initial_amount,
                        discount_amount, items_discount_amount, applied_discount_amount, items_applied_discount_amount,
                        total_amount, items, metadata, created_at, updated_at)
    select ${project_id}, saved.*
      from unnest(${column(rows, "id")}::text[], ${column(rows, "source_id")}::text[], ${column(rows, "status")}::text[],
                  ${column(rows, "customer_id")}::text[], ${column(rows, "referrer_id")}::text[],
                  ${column(rows, "currency")}::text[], ${column(rows, "amount")}::bigint[],
                  ${column(rows, "initial_amount")}::bigint[], ${column(rows, "discount_amount")}::bigint[],
                  ${column(rows, "items_discount_amount")}::bigint[], ${column(rows, "applied_discount_amount")}::bigint[],
                  ${column(rows, "items_applied_discount_amount")}::bigint[], ${column(rows, "total_amount")}::bigint[],
                  ${jsonColumn(rows, "items")}::jsonb[], ${jsonColumn(rows, "metadata")}::jsonb[],
                  ${column(rows, "created_at")}::timestamptz[], ${column(rows, "updated_at")}::timestamptz[]) as saved
    on conflict (project_id, id) do update
       set source_id = excluded.source_id, status = excluded.status, customer_id = excluded.customer_id,
           referrer_id = excluded.referrer_id, amount = excluded.amount, initial_amount = excluded.initial_amount,
           discount_amount = excluded.discount_amount, items_discount_amount = excluded.items_discount_amount,
           applied_discount_amount = excluded.applied_discount_amount,
           items_applied_discount_amount = excluded.items_applied_discount_amount, total_amount = excluded.total_amount,
           items = excluded.items, metadata = excluded.metadata, updated_at = excluded.updated_at`);
}

/** Orders as a change leaves them: of several states of one the last counts. */
export const order_rows = part<Order>("orders", "objects", saveOrders, ({ id }) => id);

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
  const [orders, { total }] = await Promise.all([
    db.many<Order>(sql`
      select ${fields} from orders
       where orders.project_id = ${project_id}
       order by ${orderBy(order, columns, sql`orders.id`)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`select count(*) as total from orders where orders.project_id = ${project_id}`),
  ]);
  return { orders, total };
}
