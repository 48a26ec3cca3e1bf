import { assertMetadata } from "../../platform/bounds.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { column, jsonColumn, type Sql, sql } from "../../platform/db/sql.js";
import { insertInto, int8, jsonb, metadata, table, text, timestamptz } from "../../platform/db/table.js";
import { isWithin } from "../../platform/http/lists.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import { metadataKeysOf } from "../async-actions/index.js";
import { mergedByName, type Product, type ProductPatch, shipping } from "./product.js";

const products = table<Product>("products", {
  id: text,
  source_id: text,
  name: text,
  price: int8,
  attributes: jsonb,
  metadata,
  image_url: text,
  created_at: timestamptz,
  updated_at: timestamptz,
  deleted_at: timestamptz,
});
const { fields } = products;

/** For a purge of a key. */
export const product_metadata_keys = metadataKeysOf(products);

/** By id or by source id, the bin included; an id wins where one text is both. */
export const findProduct = (db: Queries, project_id: string, id_or_source_id: string) =>
  db.maybe<Product>(sql`
    select ${fields} from products
     where products.project_id = ${project_id}
       and (products.id = ${id_or_source_id} or products.source_id = ${id_or_source_id})
     order by products.id = ${id_or_source_id} desc
     limit 1`);

/** The products that hold the id or the source id, the bin included: none, one or two. */
export const findProductsNamed = (db: Queries, project_id: string, id: string | null, source_id: string | null) =>
  db.many<Product>(sql`
    select ${fields} from products
     where products.project_id = ${project_id} and (products.id = ${id} or products.source_id = ${source_id})`);

/** What a change has to know: which source ids are there, the bin included. */
export const findProductsBySourceIds = (db: Queries, project_id: string, source_ids: readonly string[]) =>
  db.many<Pick<Product, "id" | "source_id" | "metadata" | "deleted_at">>(sql`
    select products.id, products.source_id, products.metadata, products.deleted_at from products
     where products.project_id = ${project_id} and products.source_id = any(${source_ids}::text[])`);

/** Those that one of the names is the id or the source id of, the bin included. */
export const findProductsByNames = (db: Queries, project_id: string, names: readonly string[]) =>
  db.many<Product>(sql`
    select ${fields} from products
     where products.project_id = ${project_id} and products.id = any(${names}::text[])
    union all
    select ${fields} from products
     where products.project_id = ${project_id} and products.source_id = any(${names}::text[])`);

/** Writes new products, but none whose id or source id is taken; answers the ids of those written. */
export async function insertProducts(tx: Tx, project_id: string, made: readonly Product[]): Promise<string[]> {
  if (made.length === 0) return [];
  const written = await tx.many<{ id: string }>(sql`
    ${insertInto(products, project_id, made)} on conflict do nothing returning products.id`);
  return written.map(({ id }) => id);
}

/**
 * Lays patches over products: absent fields stay, metadata merges key by key. Merged here and not by the caller, so that
 * two changes of one product at once both count, without a key. Answers the products that are there.
 */
export async function patchProducts(
  tx: Tx,
  project_id: string,
  patches: readonly { id: string; patch: ProductPatch }[],
  instant: Instant,
): Promise<Product[]> {
  if (patches.length === 0) return [];
  const sentText = (name: "source_id" | "name" | "image_url", old: Sql) =>
    sql`case when sent.patch ? ${name}::text then sent.patch ->> ${name}::text else ${old} end`;
  const patched = await tx.many<Product>(sql`
    update products
       set source_id = ${sentText("source_id", sql`products.source_id`)},
           name = ${sentText("name", sql`products.name`)},
           image_url = ${sentText("image_url", sql`products.image_url`)},
           price = case when sent.patch ? 'price' then (sent.patch ->> 'price')::bigint else products.price end,
           attributes = case when sent.patch ? 'attributes'
                             then coalesce(nullif(sent.patch -> 'attributes', 'null'), '[]') else products.attributes end,
           metadata = products.metadata || coalesce(nullif(sent.patch -> 'metadata', 'null'), '{}'),
           updated_at = ${isoOf(instant)}
      from unnest(${column(patches, "id")}::text[], ${jsonColumn(patches, "patch", "jsonb")}::jsonb[]) as sent (id, patch)
     where products.project_id = ${project_id} and products.id = sent.id and products.deleted_at is null
    returning ${fields}`);
  for (const { metadata } of patched) assertMetadata(metadata);
  return patched;
}

/** A product as an order's line wants it to be: of what is known the patch counts, else all that was made of it. */
export interface PatchedProduct {
  is_known: boolean;
  made: Product;
  patch: ProductPatch;
}

/**
 * Writes what lines say of products, those of one product together. One in the bin stays as it is, and another request may
 * have made one by now. In the order of their names, so that two requests do not wait for each other.
 */
export const saveProductsOfLines = (project_id: string, said: readonly PatchedProduct[]) => async (tx: Tx) => {
  const known = mergedByName(said.filter(({ is_known }) => is_known));
  const made = mergedByName(said.filter(({ is_known }) => !is_known)).map((one) => ({
    ...one.made,
    name: one.patch.name ?? null,
    price: one.patch.price ?? null,
    metadata: one.patch.metadata ?? {},
  }));
  const instant = Math.max(...said.map((one) => one.made.created_at));
  await Promise.all([
    insertProducts(
      tx,
      project_id,
      known.flatMap((one) => (one.made.id === shipping.id ? [one.made] : [])),
    ),
    patchProducts(
      tx,
      project_id,
      known.map(({ made: { id }, patch }) => ({ id, patch })),
      instant,
    ),
    made.length > 0 &&
      tx.run(sql`
        ${insertInto(products, project_id, made)}
        on conflict (project_id, source_id) where source_id is not null do update
           set name = coalesce(excluded.name, products.name), price = coalesce(excluded.price, products.price),
               metadata = products.metadata || excluded.metadata, updated_at = excluded.created_at
         where products.deleted_at is null`),
  ]);
};

/** Into the bin, with the SKUs. */
export async function binProduct(tx: Tx, project_id: string, id: string, instant: Instant): Promise<void> {
  await tx.run(sql`
    update products set deleted_at = ${isoOf(instant)}
     where products.project_id = ${project_id} and products.id = ${id} and products.deleted_at is null`);
  await tx.run(sql`
    update skus set deleted_at = ${isoOf(instant)}
     where skus.project_id = ${project_id} and skus.product_id = ${id} and skus.deleted_at is null`);
}

/** For good; the SKUs go by their foreign key. */
export const deleteProduct = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from products where products.project_id = ${project_id} and products.id = ${id}`);

/** When it was made; both bounds are included: the list ends on the end date. */
export interface CreatedWithin {
  start: Instant | null;
  end: Instant | null;
}

export type ProductOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at";

/** What was never changed stands where it was made. */
const sort_keys = {
  created_at: { keys: [sql`products.created_at`, sql`products.id`] },
  updated_at: { keys: [sql`coalesce(products.updated_at, products.created_at)`, sql`products.id`] },
};

export const listProducts = (
  db: Database,
  project_id: string,
  filter: CreatedWithin,
  order: ProductOrder,
  page: Page,
): Promise<Listed<Product>> =>
  readList<Product>(
    db,
    project_id,
    { table: sql`products`, fields: fields },
    {
      conditions: [sql`products.deleted_at is null`, ...isWithin(sql`products.created_at`, filter)],
      order: orderOf(order, sort_keys),
      page,
    },
  );

/** Products by their ids, those in the bin too. */
export const findProductsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Product>(sql`
    select ${fields} from products
     where products.project_id = ${project_id} and products.id = any(${ids}::text[])`);

/** The next live products after an id, in the order of ids. */
export const findProductsAfter = (db: Queries, project_id: string, id: string, products_max: number) =>
  db.many<Product>(sql`
    select ${fields} from products
     where products.project_id = ${project_id} and products.id > ${id} and products.deleted_at is null
     order by products.id
     limit ${products_max}`);
