import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { column, type Sql, sql } from "../../platform/db/sql.js";
import { insertInto, jsonb, sets, table, text, timestamptz } from "../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { Collection, CollectionWithMembers, MemberRef } from "./product-collection.js";

/** What STATIC collections list, each member as the object that is given; null of the others. */
const membersAs = (project_id: string, member: Sql) => sql`
  case when product_collections.type = 'STATIC' then (
    select coalesce(jsonb_agg(${member} order by product_collection_members.position), '[]')
      from product_collection_members
     where product_collection_members.project_id = ${project_id}
       and product_collection_members.collection_id = product_collections.id
  ) end as products`;

const shownMember = (project_id: string) => sql`
  jsonb_strip_nulls(jsonb_build_object(
    'id', product_collection_members.member_id, 'object', product_collection_members.object,
    'product_id', (select skus.product_id from skus
                    where skus.project_id = ${project_id} and skus.id = product_collection_members.member_id
                      and product_collection_members.object = 'sku')))`;

const listed_member = sql`
  jsonb_build_object('id', product_collection_members.member_id, 'object', product_collection_members.object)`;

const product_collections = table<Collection>("product_collections", {
  id: text,
  name: text,
  type: text,
  filter: jsonb,
  created_at: timestamptz,
  updated_at: timestamptz,
});

const shownFields = (project_id: string) => sql`
  ${product_collections.fields}, ${membersAs(project_id, shownMember(project_id))}`;

export const findCollection = (db: Queries, project_id: string, id: string) =>
  db.maybe<CollectionWithMembers>(sql`
    select ${shownFields(project_id)} from product_collections
     where product_collections.project_id = ${project_id} and product_collections.id = ${id}`);

/** Those that are there, with all that they list. */
export const findCollectionsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<CollectionWithMembers>(sql`
    select ${product_collections.fields}, ${membersAs(project_id, listed_member)} from product_collections
     where product_collections.project_id = ${project_id} and product_collections.id = any(${ids}::text[])`);

export type CollectionOrder = "created_at" | "-created_at" | "updated_at" | "-updated_at";

const sort_keys = {
  created_at: { keys: [sql`product_collections.created_at`, sql`product_collections.id`] },
  updated_at: {
    keys: [sql`coalesce(product_collections.updated_at, product_collections.created_at)`, sql`product_collections.id`],
  },
};

export const listCollections = (
  db: Database,
  project_id: string,
  order: CollectionOrder,
  page: Page,
): Promise<Listed<CollectionWithMembers>> =>
  readList<CollectionWithMembers>(
    db,
    project_id,
    { table: sql`product_collections`, fields: shownFields(project_id) },
    { conditions: [], order: orderOf(order, sort_keys), page },
  );

export const insertCollection = (tx: Tx, project_id: string, collection: Collection) =>
  tx.run(insertInto(product_collections, project_id, [collection]));

/**
 * Puts products and SKUs, named by id or source id, on the list. A name that is nobody's is kept as the id it may
 * become: a caller may choose the id of a product that is made later.
 */
export const insertMembers = (tx: Tx, project_id: string, collection_id: string, members: readonly MemberRef[]) =>
  tx.run(sql`
    insert into product_collection_members (project_id, collection_id, object, member_id, position)
    select ${project_id}, ${collection_id}, named.object, coalesce(product.id, sku.id, named.id), min(named.position)
      from unnest(${column(members, "object")}::text[], ${column(members, "id")}::text[])
             with ordinality as named (object, id, position)
      left join lateral (
        select products.id from products
         where products.project_id = ${project_id} and named.object = 'product'
           and (products.id = named.id or products.source_id = named.id)
         order by products.id = named.id desc
         limit 1
      ) as product on true
      left join lateral (
        select skus.id from skus
         where skus.project_id = ${project_id} and named.object = 'sku'
           and (skus.id = named.id or skus.source_id = named.id)
         order by skus.id = named.id desc
         limit 1
      ) as sku on true
     group by named.object, coalesce(product.id, sku.id, named.id)`);

export const updateCollection = (tx: Tx, project_id: string, collection: Collection) =>
  tx.run(sql`
    update product_collections set ${sets(product_collections, collection, ["name", "filter", "updated_at"])}
     where product_collections.project_id = ${project_id} and product_collections.id = ${collection.id}`);

/** What it lists goes by the foreign key. */
export const deleteCollection = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from product_collections
     where product_collections.project_id = ${project_id} and product_collections.id = ${id}`);

const collectionTexts = (project_id: string, which: Sql) => sql`
  select source.id, json_build_array(source.type, source.filter, source.products)::text as text
    from (select product_collections.id, product_collections.type, product_collections.filter,
                 ${membersAs(project_id, listed_member)}
            from product_collections
           where product_collections.project_id = ${project_id} and ${which}) as source
   order by source.id`;

/** A page of the collections in the order of their ids, with what they list: what a catalogue begins with (rules.md §6.1). */
export const collectionTextsAfter = (project_id: string, after_id: string, limit: number) =>
  sql`${collectionTexts(project_id, sql`product_collections.id > ${after_id}`)} limit ${limit}`;

export const collectionTextsOfIds = (project_id: string, ids: readonly string[]) =>
  collectionTexts(project_id, sql`product_collections.id = any(${ids}::text[])`);
