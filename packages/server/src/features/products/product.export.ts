import { type Sql, sql } from "../../platform/db/sql.js";
import { dateField, metadataField, numberField, textField } from "../../platform/listing/index.js";
import { asItIs, type ExportedObject, type ExportRows, moment, money } from "../exports/index.js";

/** What products and SKUs have alike, each in its table. */
const columnsOf = (table: Sql) => ({
  id: sql`${table}.id`,
  price: sql`${table}.price`,
  image_url: sql`${table}.image_url`,
  source_id: sql`${table}.source_id`,
  attributes: sql`${table}.attributes`,
  metadata: sql`${table}.metadata`,
  created_at: sql`${table}.created_at`,
  updated_at: sql`${table}.updated_at`,
  changed_at: sql`coalesce(${table}.updated_at, ${table}.created_at)`,
});

/** What either of them is, beside what both have. */
interface Own {
  fields: ExportRows["fields"];
  /** The fields of a file, and their order unless somebody says another. */
  names: readonly string[];
  title: Sql;
  /** A product names attributes, of which a SKU has values. */
  attributes: "names" | "values";
}

function rowsOf(table: Sql, own: Own): ExportRows {
  const { id, price, image_url, source_id, attributes, metadata, created_at, updated_at, changed_at } =
    columnsOf(table);
  const all: ExportRows["fields"] = {
    ...own.fields,
    id: asItIs(id),
    price: money(price),
    image_url: asItIs(image_url),
    source_id: asItIs(source_id),
    // Names of a product, and a SKU's values for them.
    attributes: asItIs(attributes),
    created_at: moment(created_at),
  };
  return {
    table,
    conditions: [sql`${table}.deleted_at is null`],
    fields: Object.fromEntries(own.names.flatMap((name) => (all[name] ? [[name, all[name]]] : []))),
    orders: { created_at: { keys: [created_at, id] }, updated_at: { keys: [changed_at, id] } },
    filterable: {
      fields: {
        created_at: dateField(created_at),
        updated_at: dateField(updated_at, changed_at),
        name: textField(own.title),
        price: numberField(price),
        source_id: textField(source_id),
        ...(own.attributes === "names" ? { attributes: among(attributes) } : {}),
      },
      prefixes: {
        metadata: (key) => inDocument(metadata, key),
        ...(own.attributes === "values" ? { attributes: (key) => inDocument(attributes, key) } : {}),
      },
    },
    metadata: { object: "product", document: metadata },
  };
}

const inDocument = (document: Sql, key: string) =>
  metadataField(document, (part) => sql`${document} @> ${part}::jsonb`, key);

/** A list, compared as one in metadata is. */
const among = (list: Sql) => inDocument(sql`jsonb_build_object('list', ${list})`, "list");

const product_fields = ["id", "name", "price", "image_url", "source_id", "attributes", "created_at"];
const sku_fields = [
  ...["id", "sku", "product_id", "currency", "price"],
  ...["image_url", "source_id", "attributes", "created_at"],
];

/** Products and SKUs outside the bin (vouchers-and-campaigns.md §10.2). */
export const exported: readonly ExportedObject[] = [
  {
    name: "product",
    default_fields: product_fields,
    default_order: "-created_at",
    of: () =>
      rowsOf(sql`products`, {
        fields: { name: asItIs(sql`products.name`) },
        names: product_fields,
        title: sql`products.name`,
        attributes: "names",
      }),
  },
  {
    name: "sku",
    default_fields: sku_fields,
    default_order: "-created_at",
    of: () =>
      rowsOf(sql`skus`, {
        fields: {
          sku: asItIs(sql`skus.sku`),
          product_id: asItIs(sql`skus.product_id`),
          currency: asItIs(sql`skus.currency`),
        },
        names: sku_fields,
        title: sql`skus.sku`,
        attributes: "values",
      }),
  },
];
