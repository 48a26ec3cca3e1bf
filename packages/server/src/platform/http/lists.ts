import type { Instant } from "../clock.js";
import { joined, type Sql, sql } from "../sql.js";
import { instantFrom } from "./dates.js";

/** Which slice of a list to read. */
export interface Page {
  limit: number;
  offset: number;
}

/** The slice that `limit` and `page` name; ten rows unless said otherwise. */
export function pageOf({ limit = 10, page = 1 }: { limit?: number; page?: number }): Page {
  return { limit, offset: (page - 1) * limit };
}

/** Bounds of a `created_at` or `updated_at` filter, both exclusive. */
/** Ids come as `ids[0]=…`, as a repeated key, or as one text with commas. */
export function idsOf(ids: string | string[] | undefined): string[] | undefined {
  return typeof ids === "string" ? ids.split(",").map((id) => id.trim()) : ids;
}

export interface Between {
  before: Instant | null;
  after: Instant | null;
}

export function betweenOf(bounds: { before?: string; after?: string } | undefined): Between {
  return {
    before: bounds?.before ? instantFrom(bounds.before) : null,
    after: bounds?.after ? instantFrom(bounds.after) : null,
  };
}

/** The condition that keeps a column strictly between the bounds. */
export function isBetween(column: Sql, { before, after }: Between): Sql[] {
  const conditions: Sql[] = [];
  if (before !== null) conditions.push(sql`${column} < ${new Date(before).toISOString()}`);
  if (after !== null) conditions.push(sql`${column} > ${new Date(after).toISOString()}`);
  return conditions;
}

/**
 * `-created_at` as SQL. The id breaks ties in the same direction, so that pages never overlap.
 * Without a word on nulls, so that the index on the column serves both directions; what was never changed is ordered
 * by its creation (`coalesce(updated_at, created_at)`).
 * @param columns what may be ordered by, as qualified SQL
 */
export function orderBy<Field extends string>(order: Field | `-${Field}`, columns: Record<Field, Sql>, id: Sql): Sql {
  const descending = order.startsWith("-");
  const field = columns[(descending ? order.slice(1) : order) as Field];
  return descending ? sql`${field} desc, ${id} desc` : sql`${field} asc, ${id} asc`;
}

/** A list as the API wraps it. */
export function listBody<const Key extends string, Row>(key: Key, rows: Row[], total: number) {
  return { object: "list", data_ref: key, [key]: rows, total } as { object: "list"; data_ref: Key } & Record<
    Key,
    Row[]
  > & {
      total: number;
    };
}

/** All conditions, joined for a `where`. */
export function all(conditions: readonly Sql[]): Sql {
  return joined(conditions, "and", sql`true`);
}
