import { sql } from "../../platform/db/sql.js";
import { dateField, metadataField, numberField, textField } from "../../platform/listing/index.js";
import { asItIs, type ExportedObject, type ExportRows, moment, money } from "../exports/index.js";
import { sort_keys } from "./order.store.js";

const changed_at = sql`coalesce(orders.updated_at, orders.created_at)`;
const total_discount_amount = sql`(orders.discount_amount + orders.items_discount_amount)`;

/** An order without any price shows no money at all. */
const fields: ExportRows["fields"] = {
  id: asItIs(sql`orders.id`),
  source_id: asItIs(sql`orders.source_id`),
  created_at: moment(sql`orders.created_at`),
  updated_at: moment(sql`orders.updated_at`),
  status: asItIs(sql`orders.status`),
  amount: money(sql`orders.amount`),
  discount_amount: money(sql`case when orders.amount is not null then orders.discount_amount end`),
  items_discount_amount: money(sql`case when orders.amount is not null then orders.items_discount_amount end`),
  total_discount_amount: money(sql`case when orders.amount is not null then ${total_discount_amount} end`),
  total_amount: money(sql`case when orders.amount is not null then orders.total_amount end`),
  customer_id: asItIs(sql`orders.customer_id`),
  referrer_id: asItIs(sql`orders.referrer_id`),
};

const filterable: ExportRows["filterable"] = {
  fields: {
    created_at: dateField(sql`orders.created_at`),
    updated_at: dateField(sql`orders.updated_at`, changed_at),
    status: textField(sql`orders.status`),
    source_id: textField(sql`orders.source_id`),
    amount: numberField(sql`orders.amount`),
    total_amount: numberField(sql`orders.total_amount`),
    discount_amount: numberField(sql`orders.discount_amount`),
    total_discount_amount: numberField(total_discount_amount),
    items_discount_amount: numberField(sql`orders.items_discount_amount`),
  },
  prefixes: {
    metadata: (key) => metadataField(sql`orders.metadata`, (part) => sql`orders.metadata @> ${part}::jsonb`, key),
  },
};

/** Orders (vouchers-and-campaigns.md §10.2). */
export const orderExport: ExportedObject = {
  name: "order",
  default_fields: ["id", "source_id", "status"],
  default_order: "-created_at",
  of: () => ({
    table: sql`orders`,
    fields,
    orders: { ...sort_keys, status: { keys: [sql`orders.status`, ...sort_keys.created_at.keys] } },
    filterable,
    metadata: { object: "order", document: sql`orders.metadata` },
  }),
};

export const exported = [orderExport];
