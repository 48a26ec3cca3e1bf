import type { ProductFacts, SkuFacts } from "@guerdon/engine";
import type { Queries } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";

/** A date-time inside JSON, as the service writes it; PostgreSQL would write its offset and no milliseconds. */
const iso = (timestamp: Sql) => sql`to_char(${timestamp} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What deciding may ask about a product or SKU, as the API shows it (rules.md §15, §17.1). */
const product_facts = sql`
  jsonb_build_object('id', products.id, 'source_id', products.source_id, 'name', products.name, 'price', products.price,
                     'attributes', products.attributes, 'metadata', products.metadata, 'image_url', products.image_url,
                     'created_at', ${iso(sql`products.created_at`)}, 'updated_at', ${iso(sql`products.updated_at`)})
    as product`;

/** Live products by id or source id. */
export const findProductFacts = (db: Queries, project_id: string, names: readonly string[]) =>
  db.many<{ product: ProductFacts }>(sql`
    select ${product_facts} from products
     where products.project_id = ${project_id} and products.deleted_at is null
       and (products.id = any(${names}::text[]) or products.source_id = any(${names}::text[]))`);

/** Live SKUs by id or source id, each with its product. */
export const findSkuFacts = (db: Queries, project_id: string, names: readonly string[]) =>
  db.many<{ product: ProductFacts; sku: SkuFacts }>(sql`
    select ${product_facts},
           jsonb_build_object('id', skus.id, 'source_id', skus.source_id, 'sku', skus.sku, 'product_id', skus.product_id,
                              'price', skus.price, 'currency', skus.currency, 'attributes', skus.attributes,
                              'metadata', skus.metadata, 'image_url', skus.image_url,
                              'created_at', ${iso(sql`skus.created_at`)}, 'updated_at', ${iso(sql`skus.updated_at`)})
             as sku
      from skus
      join products on products.project_id = ${project_id} and products.id = skus.product_id
     where skus.project_id = ${project_id} and skus.deleted_at is null
       and (skus.id = any(${names}::text[]) or skus.source_id = any(${names}::text[]))`);
