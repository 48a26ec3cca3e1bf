import type { Database, Queries } from "../../platform/db/database.js";
import { plannedEachTime, type Sql, sql } from "../../platform/db/sql.js";
import { all, type Between, isBetween } from "../../platform/http/lists.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { Customer } from "./customer.js";
import { customer_fields } from "./customer.store.js";

interface CustomerFilter {
  email?: string;
  city?: string;
  name?: string;
  created_at: Between;
  updated_at: Between;
}

type CustomerOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at" | "source_id" | "-source_id";

const id = sql`customers.id`;
export const changed_at = sql`coalesce(customers.updated_at, customers.created_at)`;

export const sort_keys = {
  created_at: { keys: [sql`customers.created_at`, id] },
  // What was never changed is ordered by its creation.
  updated_at: { keys: [changed_at, id] },
  source_id: { keys: [sql`customers.source_id`, id], nullable: true as const },
};

export function conditionsOf(filter: CustomerFilter): Sql[] {
  const conditions = [
    ...isBetween(sql`customers.created_at`, filter.created_at),
    ...isBetween(sql`customers.updated_at`, filter.updated_at, changed_at),
  ];
  if (filter.email !== undefined) conditions.push(sql`customers.email = ${filter.email}`);
  if (filter.city !== undefined) conditions.push(sql`customers.address ->> 'city' = ${filter.city}`);
  if (filter.name !== undefined) conditions.push(sql`customers.name = ${filter.name}`);
  return conditions;
}

export const listCustomers = (
  db: Database,
  project_id: string,
  conditions: readonly Sql[],
  order: CustomerOrder,
  page: Page,
): Promise<Listed<Customer>> =>
  readList<Customer>(
    db,
    project_id,
    { table: sql`customers`, fields: customer_fields },
    { conditions, order: orderOf(order, sort_keys), page },
  );

/** The next customers that satisfy the conditions, in the order of their ids. */
export const findCustomersAfter = (
  db: Queries,
  project_id: string,
  conditions: readonly Sql[],
  after_id: string,
  customers_max: number,
) =>
  db.many<Customer>(
    plannedEachTime(sql`
      select ${customer_fields} from customers
       where customers.project_id = ${project_id} and customers.id > ${after_id} and ${all(conditions)}
       order by customers.id
       limit ${customers_max}`),
  );
