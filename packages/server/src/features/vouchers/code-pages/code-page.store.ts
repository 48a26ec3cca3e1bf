import type { Queries, Tx } from "../../../platform/db/database.js";
import { joined, type Sql, sql } from "../../../platform/db/sql.js";
import { isAmong } from "../../../platform/jobs/served.js";
import { anyOf, count_max, isLike, type Part } from "../../../platform/listing/index.js";
import { keptCount } from "../voucher-counts.store.js";
import type { FoundPage, Nearest } from "./nearest.js";
import { bitsOf } from "./signature.js";

/**
 * Codes of a page, of those too that a trigger makes (migration 0232). To look through a million codes takes PostgreSQL 31 ms in pages of 32
 * and 21 in these.
 */
const codes_of_page = 64;
/** Pages that are packed together, and those that are worth it. */
const packed_max = 1_024;
const packed_min = 32;
/** Three megabytes of common codes, which PostgreSQL looks through once more to count, and the service takes apart where all are looked up. */
const pages_read_max = 2_000;
/** More are not looked through to be counted. */
const binned_max = 5_000;
/** What one of these has is near: a hundredth of the pages of a million codes. */
const near_pages = 128;

const inPages = (part: Part): Sql => anyOf(wantedOf(part).map(inPage));

/**
 * Looked for among bytes and not characters, which in UTF-8 is the same: a quarter to a third less time than `like`. First the page's
 * signature is asked, which costs a tenth of that; `case`, since the planner would ask by its own estimate of what each costs.
 */
function inPage(wanted: string): Sql {
  const held = sql`position(convert_to(${wanted}, 'UTF8') in textsend(code_pages.keys)) > 0`;
  const bits = bitsOf(wanted).map((bit) => sql`get_bit(code_pages.signature, ${bit}) = 1`);
  if (bits.length === 0) return held;
  return sql`case when code_pages.signature is null or (${joined(bits, "and")}) then ${held} else false end`;
}

/** Every code ends in a line feed, so that its end is the middle of a text as well. No code holds what parts two of them. */
const wantedOf = ({ texts, at_end }: Part) => texts.filter(isOfOneLine).map((text) => (at_end ? `${text}\n` : text));

const isOfOneLine = (text: string) => !text.includes("\n");

/**
 * Pages in which a code holds the part: all, or some of very many. One code may be in two, and one that no voucher has in any.
 * @param part one that {@link canBeLookedUp}
 */
export async function findPagesWith(
  db: Queries,
  project_id: string,
  part: Part,
): Promise<{ pages: FoundPage[]; are_many: boolean }> {
  // As one JSON, which the driver need not take apart by rows and fields. Where a part stands twice in a page, its lines are counted, which costs
  // four to forty times as much, and only where there are not very many.
  const { pages, are_many } = await db.one<{ pages: [number, number, number, number][] | null; are_many: boolean }>(sql`
    with held as materialized (
      select code_pages.page, code_pages.first_at, code_pages.last_at, code_pages.keys, ${timesIn(part)} as times
        from code_pages where code_pages.project_id = ${project_id} and ${inPages(part)}
       limit ${pages_read_max}
    ), counted as (
      select count(*) = ${pages_read_max} or coalesce(sum(held.times), 0) > ${count_max} as are_many from held
    )
    select counted.are_many,
           (select json_agg(json_build_array(held.page, ${secondsOf(sql`held.first_at`)}, ${secondsOf(sql`held.last_at`)},
                                             case when held.times = 1 or counted.are_many then held.times
                                                  else regexp_count(held.keys, ${linesWith(part)}, 1, 'n') end))
              from held) as pages
      from counted`);
  return {
    pages: (pages ?? []).map(([page, first_at, last_at, hits]) => ({ page, first_at, last_at, hits })),
    are_many,
  };
}

/** How often the part stands in a page, which is how many codes hold it where none holds it twice. */
const timesIn = (part: Part): Sql =>
  wantedOf(part).reduce(
    (sum, wanted) =>
      sql`${sum} + ${missing(sql`replace(code_pages.keys, ${wanted}, '')`)} / octet_length(${wanted}::text)`,
    sql`0`,
  );

const missing = (keys: Sql) => sql`(octet_length(code_pages.keys) - octet_length(${keys}))`;

const secondsOf = (time: Sql) => sql`extract(epoch from ${time})::float8`;

/**
 * Of very many such pages those that were made last or first, and all others that may hold a code of a voucher made between those of them.
 * Null where these are very many yet.
 */
export async function findEndOfPagesWith(
  db: Queries,
  project_id: string,
  part: Part,
  { count, descending }: Nearest,
): Promise<FoundPage[] | null> {
  // In each is one code at least. Pages are made in the order of their vouchers, but for those that were packed or that others made beside.
  const ends = sql`
    select code_pages.first_at, code_pages.last_at from code_pages
     where code_pages.project_id = ${project_id} and ${inPages(part)}
     order by code_pages.page ${descending ? sql`desc` : sql`asc`} limit ${count}`;
  const reaches = descending
    ? sql`code_pages.last_at >= (select min(ends.first_at) from (${ends}) as ends)`
    : sql`code_pages.first_at <= (select max(ends.last_at) from (${ends}) as ends)`;
  const pages = await db.many<Omit<FoundPage, "hits">>(sql`
    select code_pages.page, ${secondsOf(sql`code_pages.first_at`)} as first_at, ${secondsOf(sql`code_pages.last_at`)} as last_at
      from code_pages
     where code_pages.project_id = ${project_id} and ${reaches} and ${inPages(part)}
     limit ${pages_read_max}`);
  return pages.length === pages_read_max ? null : pages.map((page) => ({ ...page, hits: 1 }));
}

export const hitsOf = (pages: readonly FoundPage[]) => pages.reduce((sum, { hits }) => sum + hits, 0);

/** What is longer, of several texts or of one that no code is as long as, would take PostgreSQL long to make an expression of. */
const expression_max = 1_000;

/** Whether it is worth finding: what is empty stands in every code. */
export const canBeLookedUp = (part: Part) => !part.texts.includes("") && linesWith(part).length <= expression_max;

/** Every code of a page that holds the part, once: newline-sensitive, `.*` goes to the end of its line. */
function linesWith(part: Part): string {
  const literals = part.texts.filter(isOfOneLine).map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&"));
  return `(?:${literals.join("|")})${part.at_end ? "$" : ".*"}`;
}

/** The codes in these pages that hold the part. */
export async function readCodesWith(
  db: Queries,
  project_id: string,
  part: Part,
  pages: readonly FoundPage[],
): Promise<string[]> {
  const { keys } = await db.one<{ keys: string | null }>(sql`
    select string_agg(code_pages.keys, '') as keys from code_pages
     where code_pages.project_id = ${project_id}
       and code_pages.page = any(${pages.map(({ page }) => page)}::bigint[])`);
  return codesIn(keys ?? "", part);
}

function codesIn(keys: string, part: Part): string[] {
  const found = new Set<string>();
  for (const wanted of wantedOf(part)) {
    for (let at = keys.indexOf(wanted); at !== -1; ) {
      const end = keys.indexOf("\n", at);
      if (end === -1) break;
      found.add(keys.slice(keys.lastIndexOf("\n", at - 1) + 1, end));
      at = keys.indexOf(wanted, end + 1);
    }
  }
  return [...found];
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
  exists (select from (select code_pages.keys, code_pages.signature from code_pages where code_pages.project_id = ${project_id}
                        order by code_pages.page ${direction} limit ${near_pages}) as code_pages
           where ${inPages(part)})`;

/**
 * How many vouchers in the bin have a code that holds the part. Null where that is not all that tells found codes from live vouchers, as the
 * pages hold a code that no voucher has, or one twice; or where the bin holds very many.
 */
export async function countBinned(db: Queries, project_id: string, part: Part): Promise<number | null> {
  const { paged, live, binned, held } = await db.one<Record<"paged" | "live" | "binned" | "held", number>>(sql`
    select bin.binned, bin.held, (${keptCount(project_id)})::bigint as live,
           (select sum(code_pages.codes) from code_pages where code_pages.project_id = ${project_id}) as paged
      from (select count(*) as binned, count(*) filter (where ${isLike(sql`vouchers.code_key`, part.patterns)}) as held
              from (select vouchers.code_key from vouchers
                     where vouchers.project_id = ${project_id} and vouchers.deleted_at is not null
                     limit ${binned_max + 1}) as vouchers) as bin`);
  return binned <= binned_max && paged === live + binned ? held : null;
}

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

/** What full pages hold that nobody has signed. */
export const findUnsigned = (db: Queries, project_ids: readonly string[] | null, pages_max: number) =>
  db.many<{ project_id: string; page: number; keys: string }>(sql`-- every project: one schedule signs for them all
    select code_pages.project_id, code_pages.page, code_pages.keys from code_pages
     where code_pages.signature is null and code_pages.codes >= 16
       and ${isAmong(sql`code_pages.project_id`, project_ids)}
     limit ${pages_max}`);

/** Codes may have left a page meanwhile, and none has come: a signature may know too much, as a page may. */
export const signPages = (db: Queries, signed: readonly { project_id: string; page: number; signature: Buffer }[]) =>
  db.run(sql`-- every project: one schedule signs for them all
    update code_pages set signature = signed.signature
      from unnest(${signed.map(({ project_id }) => project_id)}::text[], ${signed.map(({ page }) => page)}::bigint[],
                  ${signed.map(({ signature }) => signature)}::bytea[]) as signed (project_id, page, signature)
     where code_pages.project_id = signed.project_id and code_pages.page = signed.page`);

/** A project with many small pages. */
export const findUnpacked = (db: Queries, project_ids: readonly string[] | null) =>
  db.maybe<{ project_id: string }>(sql`-- every project: one schedule packs for them all
    select code_pages.project_id from code_pages
     where code_pages.codes < 16
       and ${isAmong(sql`code_pages.project_id`, project_ids)}
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
