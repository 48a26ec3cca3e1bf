import { isHeldInRows } from "../../books/index.js";
import type { Queries, Tx } from "../../platform/db/database.js";
import { forAny, type Names, probed, type Sql, selectNamed, sql, type UniqueColumn } from "../../platform/db/sql.js";
import {
  type Columns,
  date,
  insertInto,
  jsonb,
  metadata,
  table,
  text,
  timestamptz,
  upsertInto,
} from "../../platform/db/table.js";
import { part } from "../../recording/index.js";
import { metadataKeysOf } from "../async-actions/index.js";
import type { Customer } from "./customer.js";

const columns: Columns<Customer> = {
  id: text,
  source_id: text,
  name: text,
  email: text,
  phone: text,
  description: text,
  birthdate: date,
  birthday: text,
  address: jsonb,
  metadata,
  system_metadata: jsonb,
  created_at: timestamptz,
  updated_at: timestamptz,
};
const customers = table("customers", columns, ["description", "birthdate", "birthday", "address", "system_metadata"]);
export const customer_fields = customers.fields;

/** For a purge of a key. */
export const metadata_keys = metadataKeysOf(customers);

/** By id or by source id; an id wins where one text is both. */
export const findCustomer = (db: Queries, project_id: string, id_or_source_id: string) =>
  db.maybe<Customer>(sql`
    select ${customer_fields} from customers
     where customers.project_id = ${project_id}
       and (customers.id = ${id_or_source_id} or customers.source_id = ${id_or_source_id})
     order by customers.id = ${id_or_source_id} desc
     limit 1`);

export const findCustomersByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Customer>(sql`
    select ${customer_fields} from customers where customers.project_id = ${project_id} and customers.id = any(${ids}::text[])`);

/** The ids that come after one, in their order: for whoever goes through all customers. */
export const findCustomerIdsAfter = async (db: Queries, project_id: string, after_id: string, ids_max: number) =>
  (
    await db.many<{ id: string }>(sql`
      select customers.id from customers
       where customers.project_id = ${project_id} and customers.id > ${after_id}
       order by customers.id
       limit ${ids_max}`)
  ).map(({ id }) => id);

/** Sorts behind every id of a customer. */
const behind_all = "cust_~";

/** The newest ids, and then those before one: they begin with the time at which they were made. */
export const findCustomerIdsBefore = async (
  db: Queries,
  project_id: string,
  before_id: string | null,
  ids_max: number,
) =>
  (
    await db.many<{ id: string }>(sql`
      select customers.id from customers
       where customers.project_id = ${project_id} and customers.id < ${before_id ?? behind_all}
       order by customers.id desc
       limit ${ids_max}`)
  ).map(({ id }) => id);

const by_source_id: UniqueColumn = { table: sql`customers`, column: sql`source_id` };

export const findCustomersBySourceIds = (db: Queries, project_id: string, source_ids: readonly string[]) =>
  db.many<Customer>(sql`
    select ${customer_fields} from ${probed(by_source_id, project_id, source_ids)}
     where customers.project_id = ${project_id}`);

/** Ids and source ids of those who are named by either. */
export const findCustomerNames = (db: Queries, project_id: string, names: Names) =>
  db.many<Pick<Customer, "id" | "source_id">>(selectNamed(by_source_id, project_id, names, names_alone));

/** The keys of those who are named, for `lockNamed`: see `customerKeys`. */
export const keysOfCustomers = (project_id: string, names: Names): Sql =>
  selectNamed(by_source_id, project_id, names, keys_alone);

/** A customer as whoever records needs it. */
interface CustomerToRecord extends Customer {
  /** Rows hold the history of their redemptions. */
  is_held_in_rows: boolean;
}

/** Those who are named, under their keys. */
export const findCustomersToRecord = (db: Queries, project_id: string, names: Names) =>
  db.many<CustomerToRecord>(selectNamed(by_source_id, project_id, names, to_record));

const names_alone = sql`customers.id, customers.source_id`;
const keys_alone = sql`'customer:' || customers.id, 'alone'`;
const of_customer = { project_id: sql`customers.project_id`, id: sql`customers.id` };
const to_record = sql`${customer_fields}, ${isHeldInRows(of_customer)} as is_held_in_rows`;

/** Writes whole customers, new or known. Runs under the customers' keys. Whoever was never changed is new. */
function saveCustomers(project_id: string, saved: readonly Customer[]): readonly Sql[] {
  const made = saved.filter(({ updated_at }) => updated_at === null);
  const changed = saved.filter(({ updated_at }) => updated_at !== null);
  return [
    ...forAny(made, (rows) => insertInto(customers, project_id, rows)),
    ...forAny(changed, (rows) => upsertInto(customers, project_id, rows, ["source_id", "created_at"])),
  ];
}

/** Customers as a change leaves them: of several states of one the last counts. */
export const customer_rows = part<Customer>("customers", "objects", saveCustomers, ({ id }) => id);

/** Drops the profile; what they hold and the segments that list them go with it, redemptions stay (rules.md §18). */
export const deleteCustomer = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from customers where customers.project_id = ${project_id} and customers.id = ${id}`);

/** How many orders a customer has, and how many segments list them. */
export const countBelongingsOf = (db: Queries, project_id: string, id: string) =>
  db.one<{ orders: number; segments: number }>(sql`
    select (select count(*) from orders where orders.project_id = ${project_id} and orders.customer_id = ${id}) as orders,
           (select count(*) from segment_members
             where segment_members.project_id = ${project_id} and segment_members.customer_id = ${id}) as segments`);
