import type { Database, Queries } from "../db/database.js";
import { isTimedOut } from "../db/database-errors.js";
import { joined, plannedEachTime, type Sql, sql, verbatim } from "../db/sql.js";
import { problems } from "../http/problems.js";
import { type Order, orderedBy } from "./order.js";
import type { Page } from "./page.js";

/** Where the rows of a list come from. */
export interface ListSource {
  /** The table that is filtered, ordered and counted; it has `project_id` and `id`. */
  table: Sql;
  /** What is read of each row of the page. */
  fields: Sql;
  /** The table with all that the fields need beside it; only the rows of the page are joined. */
  sources?: Sql;
}

/** Which rows of a project are asked for. */
export interface ListRequest {
  conditions: readonly Sql[];
  order: Order;
  page: Page;
  /** The number of all rows that satisfy the conditions, where somebody keeps it: one value. */
  kept_total?: Sql;
  /** Said where so many rows match that they are walked, and not counted. */
  many?: Many | null;
}

export interface Many {
  at_least: number;
  /** What holds of all of them besides, and lets a walk pass over others. */
  within: readonly Sql[];
}

export interface Listed<Row> {
  rows: Row[];
  /** Matches before paging: exact up to {@link count_max}, and beyond it where the number is kept. */
  total: number;
  /** The total is the planner's estimate. */
  total_estimated?: true;
  has_more: boolean;
}

/** Beyond what paging by number can show (100 pages of 100); to find more would cost more than the page. */
export const count_max = 20_000;
/** What a filter asks for may be rare and without an index; then it is refused rather than waited for. */
const statement_ms_max = 5_000;

/** One page of a list, how many rows there are in all, and whether any come after the page. */
export async function readList<Row>(
  db: Database,
  project_id: string,
  source: ListSource,
  request: ListRequest,
): Promise<Listed<Row>> {
  return readBounded(db, async (queries) => {
    const list = { queries, project_id, source, request };
    const seen = await positionOf(list);
    const { rows, ...totals } = request.kept_total
      ? await walked<Row>(list, seen, keptTotal(queries, request.kept_total))
      : await foundOrWalked<Row>(list, seen);
    const { limit } = request.page;
    return { rows: rows.slice(0, limit), ...totals, has_more: rows.length > limit };
  });
}

/** Reads for a list as long as a list may take; what takes longer is refused rather than waited for. */
export async function readBounded<Answer>(db: Database, read: (queries: Queries) => Promise<Answer>): Promise<Answer> {
  try {
    return await db.together(read, statement_ms_max);
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    throw problems.invalidQuery(
      `The list takes longer than ${statement_ms_max / 1000} s with this filter and order; narrow it by a field that is indexed`,
    );
  }
}

interface List {
  queries: Queries;
  project_id: string;
  source: ListSource;
  request: ListRequest;
}

type Totals = Pick<Listed<unknown>, "total" | "total_estimated">;
/** A page, with one row more where others come after it. */
type Read<Row> = { rows: Row[] } & Totals;

/**
 * What few rows match is found first and sorted then: in the order of the list, the first match may stand behind a million
 * others. What many match is walked in its order, since a page of them is never far.
 */
async function foundOrWalked<Row>(list: List, seen: Seen): Promise<Read<Row>> {
  const { many } = list.request;
  if (many) return walked(narrowed(list, many.within), seen, estimatedTotal(list, many.at_least));
  const { ids, total } = await findAll(list, seen);
  if (total > count_max) return walked(list, seen, estimatedTotal(list, total));
  return { rows: ids.length === 0 ? [] : await readRows<Row>(list, sql`${ids}::text[]`), total };
}

const narrowed = (list: List, conditions: readonly Sql[]): List => ({
  ...list,
  request: { ...list.request, conditions: [...list.request.conditions, ...conditions] },
});

async function walked<Row>(list: List, seen: Seen, totals: Promise<Totals>): Promise<Read<Row>> {
  const [rows, told] = await Promise.all([readRows<Row>(list, sql`array(${walk(list, seen)})`), totals]);
  return { rows, ...told };
}

/** How many match, and the ids of the page of them; none where more match than are counted. */
async function findAll({ queries, project_id, source: { table }, request }: List, seen: Seen) {
  const { conditions, order, page } = request;
  const names = order.keys.map((_, i) => verbatim(`key_${i}`));
  const keys = order.keys.map((key, i) => sql`${key} as ${names[i]}`);
  const shown = { ...order, keys: names };
  return queries.one<{ ids: string[]; total: number }>(
    plannedEachTime(sql`
      with found as materialized (
        select ${table}.id, ${joined(keys, ",")} from ${table}
         where ${ofProject(project_id, table, conditions)} limit ${count_max + 1}
      )
      select (select count(*) from found) as total,
             array(select id from found
                    where ${joined([sql`(select count(*) from found) <= ${count_max}`, ...behind(shown, seen)], "and")}
                    order by ${orderedBy(shown)} limit ${page.limit + 1} offset ${page.offset}) as ids`),
  );
}

/** The ids of a page in the order of an index: the rows that a later page skips are neither fetched whole nor joined. */
function walk({ project_id, source: { table }, request: { conditions, order, page } }: List, seen: Seen): Sql {
  return sql`
    select ${table}.id from ${table}
     where ${ofProject(project_id, table, [...conditions, ...behind(order, seen)])}
     order by ${orderedBy(order)}
     limit ${page.limit + 1} offset ${page.offset}`;
}

const readRows = <Row>(
  { queries, project_id, source: { table, fields, sources = table }, request: { order } }: List,
  ids: Sql,
): Promise<Row[]> =>
  queries.many<Row>(
    plannedEachTime(sql`
      select ${fields} from ${sources}
       where ${table}.project_id = ${project_id} and ${table}.id = any(${ids})
       order by ${orderedBy(order)}`),
  );

const keptTotal = (queries: Queries, kept_total: Sql): Promise<Totals> =>
  queries.one<{ total: number }>(sql`select (${kept_total})::bigint as total`);

async function estimatedTotal(
  { queries, project_id, source: { table }, request }: List,
  at_least: number,
): Promise<Totals> {
  const [explained] = await queries.many<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    plannedEachTime(
      sql`explain (format json) select from ${table} where ${ofProject(project_id, table, request.conditions)}`,
    ),
  );
  return { total: Math.max(at_least, explained?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0), total_estimated: true };
}

export const ofProject = (project_id: string, table: Sql, conditions: readonly Sql[]): Sql =>
  joined([sql`${table}.project_id = ${project_id}`, ...conditions], "and");

/** What the row that the caller has seen last is sorted by; null where the list is read from its beginning. */
export type Seen = readonly (string | null)[] | null;

async function positionOf({ queries, project_id, source: { table }, request }: List): Promise<Seen> {
  const { order, page } = request;
  const { after_id } = page;
  if (after_id === undefined) return null;
  if (order.nullable) {
    throw problems.invalidQuery("Property .starting_after_id cannot be combined with this .order: it has gaps");
  }
  const keys = order.keys.map((key) => sql`${key}::text`);
  const seen = await queries.maybe<{ key: string[] }>(
    plannedEachTime(sql`
      select array[${joined(keys, ",")}] as key
        from ${table} where ${table}.project_id = ${project_id} and ${table}.id = ${after_id}`),
  );
  if (!seen) throw problems.invalidQuery(`Property .starting_after_id names nothing that is there: ${after_id}`);
  return seen.key;
}

/** The condition that leaves what comes after that row, in this order. */
export function behind({ keys, descending }: Order, seen: Seen): Sql[] {
  if (!seen) return [];
  const values = joined(
    seen.map((value) => sql`${value}`),
    ",",
  );
  const own = joined(keys, ",");
  return [descending ? sql`(${own}) < (${values})` : sql`(${own}) > (${values})`];
}

/** What a list says beside its rows. Where the contract's shape has no `has_more` it is said to those who walk by cursor. */
export function countsOf<Row>({ rows: _shown, has_more, ...counts }: Listed<Row>, { after_id }: Page) {
  return after_id === undefined ? counts : { ...counts, has_more };
}
