import type { Database, Queries } from "../db/database.js";
import { isTimedOut } from "../db/database-errors.js";
import { joined, plannedEachTime, type Sql, sql } from "../db/sql.js";
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
}

export interface Listed<Row> {
  rows: Row[];
  /** Matches before paging: exact up to {@link count_max}, and beyond it where the number is kept. */
  total: number;
  /** The total is the planner's estimate. */
  total_estimated?: true;
  has_more: boolean;
}

/** As many as paging by number can show; to count further would cost more than the page. */
export const count_max = 10_000;
/** What a filter asks for may be rare and without an index; then it is refused rather than waited for. */
const statement_ms_max = 5_000;

/** One page of a list, how many rows there are in all, and whether any come after the page. */
export async function readList<Row>(
  db: Database,
  project_id: string,
  source: ListSource,
  request: ListRequest,
): Promise<Listed<Row>> {
  try {
    return await db.together(async (queries) => {
      const after = await positionOf(queries, project_id, source, request);
      const [rows, { total, total_estimated }] = await Promise.all([
        readPage<Row>(queries, project_id, source, request, after),
        countRows(queries, project_id, source, request),
      ]);
      const { limit } = request.page;
      const has_more = rows.length > limit;
      return {
        rows: has_more ? rows.slice(0, limit) : rows,
        total,
        ...(total_estimated && { total_estimated }),
        has_more,
      };
    }, statement_ms_max);
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    throw problems.invalidQuery(
      `The list takes longer than ${statement_ms_max / 1000} s with this filter and order; narrow it by a field that is indexed`,
    );
  }
}

const ofProject = (project_id: string, table: Sql, conditions: readonly Sql[]): Sql =>
  joined([sql`${table}.project_id = ${project_id}`, ...conditions], "and");

/** One row more than the page shows, to know whether there are any. */
function readPage<Row>(
  queries: Queries,
  project_id: string,
  { table, fields, sources = table }: ListSource,
  { conditions, order, page }: ListRequest,
  after: readonly Sql[],
): Promise<Row[]> {
  const by = orderedBy(order);
  // Ids first: the rows that a later page skips are neither fetched whole nor joined.
  return queries.many<Row>(
    plannedEachTime(sql`
      select ${fields} from ${sources}
       where ${table}.project_id = ${project_id}
         and ${table}.id = any(array(
               select ${table}.id from ${table}
                where ${ofProject(project_id, table, [...conditions, ...after])}
                order by ${by}
                limit ${page.limit + 1} offset ${page.offset}))
       order by ${by}`),
  );
}

/** The condition that leaves what comes after the row the caller has seen last, in this order. */
async function positionOf(
  queries: Queries,
  project_id: string,
  { table }: ListSource,
  { order, page }: ListRequest,
): Promise<Sql[]> {
  const { after_id } = page;
  if (after_id === undefined) return [];
  const keys = joined(order.keys, ",");
  if (order.nullable) {
    throw problems.invalidQuery("Property .starting_after_id cannot be combined with this .order: it has gaps");
  }
  const seen = await queries.maybe<{ key: (string | null)[] }>(
    plannedEachTime(sql`
      select array[${joined(
        order.keys.map((key) => sql`${key}::text`),
        ",",
      )}] as key
        from ${table} where ${table}.project_id = ${project_id} and ${table}.id = ${after_id}`),
  );
  if (!seen) throw problems.invalidQuery(`Property .starting_after_id names nothing that is there: ${after_id}`);
  const values = joined(
    seen.key.map((value) => sql`${value}`),
    ",",
  );
  return [order.descending ? sql`(${keys}) < (${values})` : sql`(${keys}) > (${values})`];
}

async function countRows(
  queries: Queries,
  project_id: string,
  { table }: ListSource,
  { conditions, kept_total }: ListRequest,
): Promise<{ total: number; total_estimated?: true }> {
  if (kept_total) return queries.one<{ total: number }>(sql`select (${kept_total})::bigint as total`);
  const matching = sql`from ${table} where ${ofProject(project_id, table, conditions)}`;
  const { total } = await queries.one<{ total: number }>(
    plannedEachTime(sql`select count(*) as total from (select ${matching} limit ${count_max + 1}) as counted`),
  );
  if (total <= count_max) return { total };
  const [explained] = await queries.many<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    plannedEachTime(sql`explain (format json) select ${matching}`),
  );
  return { total: Math.max(total, explained?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0), total_estimated: true };
}

/** What a list says beside its rows. Where the contract's shape has no `has_more` it is said to those who walk by cursor. */
export function countsOf<Row>({ rows: _shown, has_more, ...counts }: Listed<Row>, { after_id }: Page) {
  return after_id === undefined ? counts : { ...counts, has_more };
}
