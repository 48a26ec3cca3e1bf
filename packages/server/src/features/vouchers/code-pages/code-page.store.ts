import type { Queries, Tx } from "../../../platform/db/database.js";
import { type Sql, sql } from "../../../platform/db/sql.js";
import { count_max, isLike, type Part } from "../../../platform/listing/index.js";

/**
 * Codes of a page, of those too that a trigger makes (migration 0180). Measured with a million codes: of 128, a part of two letters that
 * seven thousand hold took 76 ms, since all codes of a page that has one are looked at; of 32 it took 42, and a rare part 16 instead of 14.
 */
const codes_of_page = 32;
/** Pages that are packed together, and those that are worth it. */
const packed_max = 1_024;
const packed_min = 32;
/** What one of these has is near: a hundredth of the pages of a million codes. */
const near_pages = 256;

/** Every code ends in a line feed, so that its end is the middle of a text as well. */
const inPages = ({ patterns, at_end }: Part): Sql =>
  isLike(
    sql`code_pages.keys`,
    patterns.map((pattern) => (at_end ? `${pattern}\n%` : pattern)),
  );

/**
 * The codes that hold the part: all that vouchers have, and some that none has any more. Null: more of them than lists count.
 */
export async function findCodesWith(db: Queries, project_id: string, part: Part): Promise<string[] | null> {
  const { code_keys } = await db.one<{ code_keys: string[] }>(sql`
    select array(
      select held.code_key
        from (select string_to_table(code_pages.keys, E'\\n') as code_key from code_pages
               where code_pages.project_id = ${project_id} and ${inPages(part)}
              offset 0) as held
       where ${isLike(sql`held.code_key`, part.patterns)}
       limit ${count_max + 1}) as code_keys`);
  return code_keys.length > count_max ? null : code_keys;
}

/**
 * When the first and the last voucher were made of those pages in which a code holds the part. Undefined where it is among the newest and
 * the oldest alike, so that their times would leave nothing out: what is near is found without reading every page.
 */
export const findTimesOf = (db: Queries, project_id: string, part: Part) =>
  db.maybe<{ first_at: string; last_at: string }>(sql`
    select min(code_pages.first_at)::text as first_at, max(code_pages.last_at)::text as last_at from code_pages
     where code_pages.project_id = ${project_id} and ${inPages(part)}
       and not (${isNear(project_id, part, sql`desc`)} and ${isNear(project_id, part, sql`asc`)})
    having count(*) > 0`);

const isNear = (project_id: string, part: Part, direction: Sql): Sql => sql`
  exists (select from (select code_pages.keys from code_pages where code_pages.project_id = ${project_id}
                        order by code_pages.page ${direction} limit ${near_pages}) as code_pages
           where ${inPages(part)})`;

/** Pages the codes of vouchers by their ids; answers the id of the last one. */
export const pageCodesBehind = (tx: Tx, project_id: string, after_id: string, vouchers_max: number) =>
  tx.one<{ last_id: string | null }>(sql`
    with listed as (
      select vouchers.id, vouchers.code_key, vouchers.created_at from vouchers
       where vouchers.project_id = ${project_id} and vouchers.id > ${after_id}
       order by vouchers.id limit ${vouchers_max}
    ), paged as (
      insert into code_pages (project_id, codes, keys, first_at, last_at)
      select ${project_id}, count(*), string_agg(placed.code_key || E'\\n', ''), min(placed.created_at),
             max(placed.created_at)
        from (select listed.*, (row_number() over (order by listed.id) - 1) / ${codes_of_page}::int as place from listed) as placed
       group by placed.place
    )
    select max(listed.id) as last_id from listed`);

/** Looks at pages by their numbers and takes out the codes that no voucher has any more; answers the number of the last one. */
export const cleanPagesBehind = (tx: Tx, project_id: string, after_page: number, pages_max: number) =>
  tx.one<{ last_page: number | null }>(sql`
    with looked as (
      select code_pages.page, code_pages.codes, code_pages.keys from code_pages
       where code_pages.project_id = ${project_id} and code_pages.page > ${after_page}
       order by code_pages.page limit ${pages_max}
         for update
    ), kept as (
      select looked.page, count(*) as codes, string_agg(held.code_key || E'\\n', '') as keys
        from looked, string_to_table(looked.keys, E'\\n') as held (code_key)
       where exists (select from vouchers
                      where vouchers.project_id = ${project_id} and vouchers.code_key = held.code_key)
       group by looked.page
    ), cleaned as (
      update code_pages set codes = kept.codes, keys = kept.keys
        from kept join looked on looked.page = kept.page
       where code_pages.project_id = ${project_id} and code_pages.page = kept.page and kept.codes < looked.codes
    ), emptied as (
      delete from code_pages using looked
       where code_pages.project_id = ${project_id} and code_pages.page = looked.page
         and not exists (select from kept where kept.page = looked.page)
    )
    select max(looked.page) as last_page from looked`);

/** A project with many small pages. */
export const findUnpacked = (db: Queries, project_ids: readonly string[] | null) =>
  db.maybe<{ project_id: string }>(sql`-- every project: one schedule packs for them all
    select code_pages.project_id from code_pages
     where code_pages.codes < 16
       and (${project_ids}::text[] is null or code_pages.project_id = any(${project_ids}::text[]))
     group by code_pages.project_id
    having count(*) >= ${packed_min}
     limit 1`);

/** Makes full pages of small ones, each code once: one that is made and deleted again and again would be in many. */
export const packPages = (db: Queries, project_id: string) =>
  db.run(sql`
    with small as (
      select code_pages.page, code_pages.keys, code_pages.first_at, code_pages.last_at from code_pages
       where code_pages.project_id = ${project_id} and code_pages.codes < 16
       order by code_pages.page limit ${packed_max}
         for update skip locked
    ), gone as (
      delete from code_pages using small where code_pages.project_id = ${project_id} and code_pages.page = small.page
    ), listed as (
      select held.code_key, min(small.page) as page, min(small.first_at) as first_at, max(small.last_at) as last_at
        from small, string_to_table(small.keys, E'\\n') as held (code_key)
       where held.code_key <> ''
       group by held.code_key
    )
    insert into code_pages (project_id, codes, keys, first_at, last_at)
    select ${project_id}, count(*), string_agg(placed.code_key || E'\\n', ''), min(placed.first_at), max(placed.last_at)
      from (select listed.*, (row_number() over (order by listed.page) - 1) / ${codes_of_page}::int as place from listed) as placed
     group by placed.place`);
