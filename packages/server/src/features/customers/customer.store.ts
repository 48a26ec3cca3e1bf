import { isoOf } from "../../platform/clock.js";
import type { Queries, Tx } from "../../platform/database.js";
import { all, type Between, isBetween, orderBy, type Page } from "../../platform/http/lists.js";
import { column, jsonColumn, type Sql, sql } from "../../platform/sql.js";
import { part } from "../../recording/index.js";
import type { Customer } from "./customer.js";

const fields = sql`
  customers.id, customers.source_id, customers.name, customers.email, customers.phone, customers.description,
  customers.birthdate, customers.birthday, customers.address, customers.metadata, customers.system_metadata,
  customers.created_at, customers.updated_at`;

/** By id or by source id; an id wins where one text is both. */
export const findCustomer = (db: Queries, project_id: string, id_or_source_id: string) =>
  db.maybe<Customer>(sql`
    select ${fields} from customers
     where customers.project_id = ${project_id}
       and (customers.id = ${id_or_source_id} or customers.source_id = ${id_or_source_id})
     order by customers.id = ${id_or_source_id} desc
     limit 1`);

export const findCustomersByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Customer>(sql`
    select ${fields} from customers where customers.project_id = ${project_id} and customers.id = any(${ids}::text[])`);

export const findCustomersBySourceIds = (db: Queries, project_id: string, source_ids: readonly string[]) =>
  db.many<Customer>(sql`
    select ${fields}
      from unnest(${source_ids}::text[]) as named (source_id),
           -- Looked up one by one: no statistics, however old, make this anything but a probe of the unique index.
           lateral (select * from customers
                     where customers.project_id = ${project_id} and customers.source_id = named.source_id
                     limit 1) as customers`);

/** Ids and source ids of those who are named by either. */
export const findCustomerNames = (
  db: Queries,
  project_id: string,
  { ids, source_ids }: { ids: readonly string[]; source_ids: readonly string[] },
) =>
  db.many<Pick<Customer, "id" | "source_id">>(sql`
    select customers.id, customers.source_id from customers
     where customers.project_id = ${project_id} and customers.id = any(${ids}::text[])
    union all
    select customers.id, customers.source_id
      from unnest(${source_ids}::text[]) as named (source_id),
           lateral (select * from customers
                     where customers.project_id = ${project_id} and customers.source_id = named.source_id
                     limit 1) as customers`);

/** Writes whole customers, new or known. Runs under the customers' keys. */
async function saveCustomers(tx: Tx, project_id: string, customers: readonly Customer[]): Promise<void> {
  if (customers.length === 0) return;
  const rows = customers.map((customer) => ({
    ...customer,
    created_at: isoOf(customer.created_at),
    updated_at: isoOf(customer.updated_at),
  }));
  await tx.run(sql`
    insert into customers (project_id, id, source_id, name, email, phone, description, birthdate, birthday, address,
                           metadata, system_metadata, created_at, updated_at)
    select ${project_id}, saved.*
      from unnest(${column(rows, "id")}::text[], ${column(rows, "source_id")}::text[], ${column(rows, "name")}::text[],
                  ${column(rows, "email")}::text[], ${column(rows, "phone")}::text[],
                  ${column(rows, "description")}::text[], ${column(rows, "birthdate")}::date[],
                  ${column(rows, "birthday")}::text[], ${jsonColumn(rows, "address")}::jsonb[],
                  ${jsonColumn(rows, "metadata")}::jsonb[], ${jsonColumn(rows, "system_metadata")}::jsonb[],
                  ${column(rows, "created_at")}::timestamptz[], ${column(rows, "updated_at")}::timestamptz[]) as saved
    on conflict (project_id, id) do update
       set name = excluded.name, email = excluded.email, phone = excluded.phone, description = excluded.description,
           birthdate = excluded.birthdate, birthday = excluded.birthday, address = excluded.address,
           metadata = excluded.metadata, system_metadata = excluded.system_metadata, updated_at = excluded.updated_at`);
}

/** Customers as a change leaves them: of several states of one the last counts. */
export const customer_rows = part<Customer>("customers", "objects", saveCustomers, ({ id }) => id);

/** Drops the profile with its orders, events and memberships of segments; redemptions stay for reporting (rules.md §18). */
export async function deleteCustomer(tx: Tx, project_id: string, id: string): Promise<void> {
  await tx.run(sql`delete from orders where orders.project_id = ${project_id} and orders.customer_id = ${id}`);
  await tx.run(sql`delete from events where events.project_id = ${project_id} and events.customer_id = ${id}`);
  await tx.run(sql`
    delete from voucher_holders
     where voucher_holders.project_id = ${project_id} and voucher_holders.customer_id = ${id}`);
  await tx.run(sql`
    delete from segment_members
     where segment_members.project_id = ${project_id} and segment_members.customer_id = ${id}`);
  await tx.run(sql`delete from customers where customers.project_id = ${project_id} and customers.id = ${id}`);
}

export interface CustomerFilter {
  email?: string;
  city?: string;
  name?: string;
  created_at: Between;
  updated_at: Between;
}

export type CustomerOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at" | "source_id" | "-source_id";

export async function listCustomers(
  db: Queries,
  project_id: string,
  filter: CustomerFilter,
  order: CustomerOrder,
  page: Page,
): Promise<{ customers: Customer[]; total: number }> {
  const conditions: Sql[] = [
    ...isBetween(sql`customers.created_at`, filter.created_at),
    ...isBetween(sql`customers.updated_at`, filter.updated_at),
  ];
  if (filter.email !== undefined) conditions.push(sql`customers.email = ${filter.email}`);
  if (filter.city !== undefined) conditions.push(sql`customers.address ->> 'city' = ${filter.city}`);
  if (filter.name !== undefined) conditions.push(sql`customers.name = ${filter.name}`);
  const columns = {
    created_at: sql`customers.created_at`,
    updated_at: sql`coalesce(customers.updated_at, customers.created_at)`,
    source_id: sql`customers.source_id`,
  };
  const [customers, { total }] = await Promise.all([
    db.many<Customer>(sql`
      select ${fields} from customers
       where customers.project_id = ${project_id} and ${all(conditions)}
       order by ${orderBy(order, columns, sql`customers.id`)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`
      select count(*) as total from customers where customers.project_id = ${project_id} and ${all(conditions)}`),
  ]);
  return { customers, total };
}
