import { type Instant, isoOf } from "../../platform/clock.js";
import type { Queries } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { orderedBy, orderOf, type Page } from "../../platform/listing/index.js";
import type { MemberRef } from "./product-collection.js";
import type { CollectionOrder } from "./product-collection.store.js";

/** Which members to read, in which order. */
export interface MemberSlice {
  order: CollectionOrder;
  /** Only those after this date in that order. */
  starting_after: Instant | null;
  page: Page;
}

const product_member = sql`
  'product' as object, products.id, products.created_at, coalesce(products.updated_at, products.created_at) as updated_at`;
const sku_member = sql`
  'sku' as object, skus.id, skus.created_at, coalesce(skus.updated_at, skus.created_at) as updated_at`;

/** What a `listed` CTE names, but nothing from the bin; a product brings all its SKUs (rules.md §17.2). */
const withTheirSkus = (project_id: string) => sql`
  member as (
    select ${product_member}
      from listed
      join products on products.project_id = ${project_id} and products.id = listed.member_id
     where listed.object = 'product' and products.deleted_at is null
    union
    select ${sku_member}
      from listed
      join skus on skus.project_id = ${project_id} and skus.id = listed.member_id
     where listed.object = 'sku' and skus.deleted_at is null
    union
    select ${sku_member}
      from listed
      join skus on skus.project_id = ${project_id} and skus.product_id = listed.member_id
     where listed.object = 'product' and skus.deleted_at is null
  )`;

const member_keys = {
  created_at: { keys: [sql`member.created_at`, sql`member.id`] },
  updated_at: { keys: [sql`member.updated_at`, sql`member.id`] },
};

/** What a STATIC collection holds, each once. */
export async function listListedMembers(
  db: Queries,
  project_id: string,
  collection_id: string,
  { order, starting_after, page }: MemberSlice,
): Promise<{ members: MemberRef[]; total: number }> {
  const by = orderOf(order, member_keys);
  const [date = sql``] = by.keys;
  let after: Sql = sql`true`;
  if (starting_after !== null) {
    after = by.descending ? sql`${date} < ${isoOf(starting_after)}` : sql`${date} > ${isoOf(starting_after)}`;
  }
  const [members, { total }] = await Promise.all([
    db.many<MemberRef>(sql`
      with listed as (
        select product_collection_members.object, product_collection_members.member_id
          from product_collection_members
         where product_collection_members.project_id = ${project_id}
           and product_collection_members.collection_id = ${collection_id}
      ), ${withTheirSkus(project_id)}
      select member.object, member.id from member
       where ${after}
       order by ${orderedBy(by)}
       limit ${page.limit} offset ${page.offset}`),
    db.one<{ total: number }>(sql`
      with listed as (
        select product_collection_members.object, product_collection_members.member_id
          from product_collection_members
         where product_collection_members.project_id = ${project_id}
           and product_collection_members.collection_id = ${collection_id}
      ), ${withTheirSkus(project_id)}
      select count(*) as total from member`),
  ]);
  return { members, total };
}
