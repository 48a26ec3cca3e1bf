import { type Sql, sql } from "../../platform/db/sql.js";
import {
  dateField,
  type Field,
  type Filterable,
  fieldInEither,
  fieldThrough,
  metadataField,
  textField,
} from "../../platform/listing/index.js";
import { asItIs, type ExportedObject, type ExportRows, type JudgedFilters, moment, money } from "../exports/index.js";
import { changed_at, sort_keys } from "./customer-list.store.js";
import { countsOfCustomer } from "./customer-summary.store.js";

const inAddress = (name: string) => asItIs(sql`customers.address ->> ${name}::text`);
const counted = (column: Sql) => asItIs(column, "redeemed");

const fields: ExportRows["fields"] = {
  name: asItIs(sql`customers.name`),
  id: asItIs(sql`customers.id`),
  description: asItIs(sql`customers.description`),
  email: asItIs(sql`customers.email`),
  source_id: asItIs(sql`customers.source_id`),
  created_at: moment(sql`customers.created_at`),
  updated_at: moment(sql`customers.updated_at`),
  address_city: inAddress("city"),
  address_state: inAddress("state"),
  address_line_1: inAddress("line_1"),
  address_line_2: inAddress("line_2"),
  address_country: inAddress("country"),
  address_postal_code: inAddress("postal_code"),
  redemptions_total_redeemed: counted(sql`redeemed.succeeded`),
  redemptions_total_failed: counted(sql`redeemed.failed`),
  redemptions_total_succeeded: counted(sql`redeemed.succeeded`),
  redemptions_total_rolled_back: counted(sql`redeemed.rolled_back`),
  redemptions_total_rollback_failed: counted(sql`redeemed.rollback_failed`),
  redemptions_total_rollback_succeeded: counted(sql`redeemed.rolled_back`),
  orders_total_amount: money(sql`ordered.orders_amount`, "ordered"),
  orders_total_count: asItIs(sql`ordered.orders_count`, "ordered"),
  orders_average_amount: money(
    sql`coalesce(round(ordered.orders_amount / nullif(ordered.orders_count, 0)), 0)::bigint`,
    "ordered",
  ),
  orders_last_order_amount: money(sql`coalesce(latest.last_order_amount, 0)`, "latest"),
  orders_last_order_date: moment(sql`latest.last_order_date`, "latest"),
  loyalty_points: asItIs(sql`held.loyalty_points`, "held"),
  loyalty_referred_customers: asItIs(sql`referring.referred_customers`, "referring"),
  phone: asItIs(sql`customers.phone`),
  birthday: asItIs(sql`customers.birthday`),
  birthdate: asItIs(sql`customers.birthdate`),
};

const ofPublications = (project_id: string, inner: Field) =>
  fieldThrough(
    inner,
    (condition) => sql`customers.id in (
      select publications.customer_id from publications where publications.project_id = ${project_id} and ${condition})`,
  );

const addressField = (key: string) => textField(sql`customers.address ->> ${key}::text`);

function filterableOf(project_id: string): Filterable {
  return {
    fields: {
      id: textField(sql`customers.id`),
      created_at: dateField(sql`customers.created_at`),
      updated_at: dateField(sql`customers.updated_at`, changed_at),
      email: textField(sql`customers.email`),
      name: textField(sql`customers.name`),
      city: addressField("city"),
      phone: textField(sql`customers.phone`),
      birthday: textField(sql`customers.birthday`),
      source_id: textField(sql`customers.source_id`),
      "publications.created_at": ofPublications(project_id, dateField(sql`publications.created_at`)),
      "publications.related_object_id": ofPublications(project_id, textField(sql`publications.voucher_id`)),
    },
    prefixes: {
      address: addressField,
      metadata: (key) =>
        metadataField(sql`customers.metadata`, (part) => sql`customers.metadata @> ${part}::jsonb`, key),
    },
  };
}

/** A customer of another table's record, by id or source id. */
export const customerField = (customer_id: Sql, project_id: string): Field =>
  fieldThrough(
    fieldInEither([{ field: textField(sql`customers.id`) }, { field: textField(sql`customers.source_id`) }]),
    (condition) => sql`${customer_id} in (
      select customers.id from customers where customers.project_id = ${project_id} and ${condition})`,
    sql`${customer_id} is not null`,
  );

const id = sql`customers.id`;
const orders: ExportRows["orders"] = {
  ...sort_keys,
  id: { keys: [id] },
  name: { keys: [sql`customers.name`, id], nullable: true },
  email: { keys: [sql`customers.email`, id], nullable: true },
};

/**
 * Customers (vouchers-and-campaigns.md §10.2).
 * @param judged by what is counted of them, and by whatever else segments know of a customer
 */
export const exportedWith = (judged: JudgedFilters): readonly ExportedObject[] => [customerExport(judged)];

const customerExport = (judged: JudgedFilters): ExportedObject => ({
  name: "customer",
  default_fields: ["name", "source_id"],
  default_order: "-created_at",
  of: (project) => ({
    table: sql`customers`,
    joins: countsOfCustomer(sql`customers.project_id`, sql`customers.id`),
    fields,
    orders,
    filterable: filterableOf(project.id),
    judged,
    metadata: { object: "customer", document: sql`customers.metadata` },
  }),
});
