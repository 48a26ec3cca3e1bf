import { assertMetadata } from "../../platform/bounds.js";
import { type Instant, isoOf } from "../../platform/clock.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { column, jsonColumn, type Sql, sql } from "../../platform/db/sql.js";
import { insertInto, int8, jsonb, metadata, table, text, timestamptz } from "../../platform/db/table.js";
import { isWithin } from "../../platform/http/lists.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import { metadataKeysOf } from "../async-actions/index.js";
import { mergedByName } from "./product.js";
import type { CreatedWithin, ProductOrder } from "./product.store.js";
import type { Sku, SkuPatch } from "./sku.js";

const skus = table<Sku>("skus", {
  id: text,
  product_id: text,
  source_id: text,
  sku: text,
  price: int8,
  currency: text,
  attributes: jsonb,
  metadata,
  image_url: text,
  created_at: timestamptz,
  updated_at: timestamptz,
  deleted_at: timestamptz,
});
const { fields } = skus;

/** For a purge of a key. */
export const sku_metadata_keys = metadataKeysOf(skus);

/** By id or by source id, the bin included; an id wins where one text is both. */
export const findSku = (db: Queries, project_id: string, id_or_source_id: string) =>
  db.maybe<Sku>(sql`
    select ${fields} from skus
     where skus.project_id = ${project_id} and (skus.id = ${id_or_source_id} or skus.source_id = ${id_or_source_id})
     order by skus.id = ${id_or_source_id} desc
     limit 1`);

/** The SKUs that hold the id or the source id, the bin included: none, one or two. */
export const findSkusNamed = (db: Queries, project_id: string, id: string | null, source_id: string | null) =>
  db.many<Sku>(sql`
    select ${fields} from skus
     where skus.project_id = ${project_id} and (skus.id = ${id} or skus.source_id = ${source_id})`);

/** A SKU as an order's line wants it to be, as `PatchedProduct`. */
export interface PatchedSku {
  is_known: boolean;
  made: Sku;
  patch: SkuPatch;
}

/** Writes what lines say of SKUs, as `saveProductsOfLines` does of products. */
export const saveSkusOfLines = (project_id: string, said: readonly PatchedSku[]) => async (tx: Tx) => {
  const known = mergedByName(said.filter(({ is_known }) => is_known));
  const made = mergedByName(said.filter(({ is_known }) => !is_known)).map((one) => ({
    ...one.made,
    sku: one.patch.sku ?? null,
    price: one.patch.price ?? null,
    metadata: one.patch.metadata ?? {},
  }));
  const instant = Math.max(...said.map((one) => one.made.created_at));
  await Promise.all([
    patchSkus(
      tx,
      project_id,
      known.map(({ made: { id, product_id }, patch }) => ({ id, product_id, patch })),
      instant,
    ),
    made.length > 0 &&
      tx.run(sql`
        ${insertInto(skus, project_id, made)}
        on conflict (project_id, source_id) where source_id is not null do update
           set sku = coalesce(excluded.sku, skus.sku), price = coalesce(excluded.price, skus.price),
               metadata = skus.metadata || excluded.metadata, updated_at = excluded.created_at
         where skus.deleted_at is null`),
  ]);
};

/** Those that one of the names is the id or the source id of, the bin included. */
export const findSkusByNames = (db: Queries, project_id: string, names: readonly string[]) =>
  db.many<Sku>(sql`
    select ${fields} from skus
     where skus.project_id = ${project_id} and skus.id = any(${names}::text[])
    union all
    select ${fields} from skus
     where skus.project_id = ${project_id} and skus.source_id = any(${names}::text[])`);

/** What a change has to know: which source ids are there, the bin included. */
export const findSkusBySourceIds = (db: Queries, project_id: string, source_ids: readonly string[]) =>
  db.many<Sku>(sql`
    select ${fields} from skus
     where skus.project_id = ${project_id} and skus.source_id = any(${source_ids}::text[])`);

/** Writes new SKUs, but none whose id or source id is taken; answers how many rows were written. */
export const insertSkus = async (tx: Tx, project_id: string, made: readonly Sku[]): Promise<number> =>
  made.length === 0 ? 0 : tx.run(sql`${insertInto(skus, project_id, made)} on conflict do nothing`);

/** Lays patches over SKUs of products, as `patchProducts` does. Answers those that are there. */
export async function patchSkus(
  tx: Tx,
  project_id: string,
  patches: readonly { id: string; product_id: string; patch: SkuPatch }[],
  instant: Instant,
): Promise<Sku[]> {
  if (patches.length === 0) return [];
  const sentText = (name: "source_id" | "sku" | "currency" | "image_url", old: Sql) =>
    sql`case when sent.patch ? ${name}::text then sent.patch ->> ${name}::text else ${old} end`;
  const patched = await tx.many<Sku>(sql`
    update skus
       set source_id = ${sentText("source_id", sql`skus.source_id`)},
           sku = ${sentText("sku", sql`skus.sku`)},
           currency = ${sentText("currency", sql`skus.currency`)},
           image_url = ${sentText("image_url", sql`skus.image_url`)},
           price = case when sent.patch ? 'price' then (sent.patch ->> 'price')::bigint else skus.price end,
           attributes = case when sent.patch ? 'attributes'
                             then coalesce(nullif(sent.patch -> 'attributes', 'null'), '{}') else skus.attributes end,
           metadata = skus.metadata || coalesce(nullif(sent.patch -> 'metadata', 'null'), '{}'),
           updated_at = ${isoOf(instant)}
      from unnest(${column(patches, "id")}::text[], ${column(patches, "product_id")}::text[],
                  ${jsonColumn(patches, "patch", "jsonb")}::jsonb[]) as sent (id, product_id, patch)
     where skus.project_id = ${project_id} and skus.id = sent.id and skus.product_id = sent.product_id
       and skus.deleted_at is null
    returning ${fields}`);
  for (const { metadata } of patched) assertMetadata(metadata);
  return patched;
}

export const binSku = (tx: Tx, project_id: string, id: string, instant: Instant) =>
  tx.run(sql`
    update skus set deleted_at = ${isoOf(instant)}
     where skus.project_id = ${project_id} and skus.id = ${id} and skus.deleted_at is null`);

export const deleteSku = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from skus where skus.project_id = ${project_id} and skus.id = ${id}`);

const sort_keys = {
  created_at: { keys: [sql`skus.created_at`, sql`skus.id`] },
  updated_at: { keys: [sql`coalesce(skus.updated_at, skus.created_at)`, sql`skus.id`] },
};

export const listSkus = (
  db: Database,
  project_id: string,
  product_id: string,
  filter: CreatedWithin,
  order: ProductOrder,
  page: Page,
): Promise<Listed<Sku>> =>
  readList<Sku>(
    db,
    project_id,
    { table: sql`skus`, fields: fields },
    {
      conditions: [
        sql`skus.product_id = ${product_id}`,
        sql`skus.deleted_at is null`,
        ...isWithin(sql`skus.created_at`, filter),
      ],
      order: orderOf(order, sort_keys),
      page,
    },
  );

/** The newest SKUs of each product, with how many it has in all. */
export const findSkusOfProducts = (
  db: Queries,
  project_id: string,
  product_ids: readonly string[],
  skus_max_each: number,
) =>
  db.many<Sku & { total: number }>(sql`
    select ${fields}, counted.total
      from unnest(${product_ids}::text[]) as product (id)
      cross join lateral (
        select count(*) as total from skus
         where skus.project_id = ${project_id} and skus.product_id = product.id and skus.deleted_at is null
      ) as counted
      cross join lateral (
        select skus.* from skus
         where skus.project_id = ${project_id} and skus.product_id = product.id and skus.deleted_at is null
         order by skus.created_at desc, skus.id desc
         limit ${skus_max_each}
      ) as skus`);

/** SKUs by their ids, those in the bin too. */
export const findSkusByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<Sku>(sql`
    select ${fields} from skus
     where skus.project_id = ${project_id} and skus.id = any(${ids}::text[])`);

/** The next live SKUs after an id, in the order of ids. */
export const findSkusAfter = (db: Queries, project_id: string, id: string, skus_max: number) =>
  db.many<Sku>(sql`
    select ${fields} from skus
     where skus.project_id = ${project_id} and skus.id > ${id} and skus.deleted_at is null
     order by skus.id
     limit ${skus_max}`);
