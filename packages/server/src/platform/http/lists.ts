import type { Instant } from "../clock.js";
import { isoOf } from "../clock.js";
import { joined, type Sql, sql } from "../db/sql.js";
import { instantFrom } from "./dates.js";

/** Ids come as `ids[0]=…`, as a repeated key, or as one text with commas. */
export function idsOf(ids: string | string[] | undefined): string[] | undefined {
  return typeof ids === "string" ? ids.split(",").map((id) => id.trim()) : ids;
}

/** Bounds of a `created_at` or `updated_at` filter, both exclusive. */
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

/**
 * The conditions that keep a column strictly between the bounds.
 * @param also an indexed column that equals this one wherever it has a value
 */
export function isBetween(column: Sql, { before, after }: Between, also: Sql = column): Sql[] {
  const columns = also === column ? [column] : [column, also];
  return columns.flatMap((one) => [
    ...(before === null ? [] : [sql`${one} < ${isoOf(before)}`]),
    ...(after === null ? [] : [sql`${one} > ${isoOf(after)}`]),
  ]);
}

/** The conditions that keep a column from the start to the end, both included. */
export function isWithin(column: Sql, { start, end }: { start: Instant | null; end: Instant | null }): Sql[] {
  return [
    ...(start === null ? [] : [sql`${column} >= ${isoOf(start)}`]),
    ...(end === null ? [] : [sql`${column} <= ${isoOf(end)}`]),
  ];
}

/** What a list says beside its rows. */
export interface Counts {
  total: number;
  total_estimated?: true;
  has_more?: boolean;
}

/** Whether a list goes on, and after what: the last that it showed. */
export const followedBy = (has_more: boolean, shown: readonly { id: string }[]) => {
  const last = shown.at(-1);
  return { has_more, ...(has_more && last ? { more_starting_after: last.id } : {}) };
};

/** A list as the API wraps it. */
export function listBody<const Key extends string, Row>(key: Key, rows: Row[], counts: number | Counts) {
  const { total, total_estimated, has_more }: Counts = typeof counts === "number" ? { total: counts } : counts;
  return {
    object: "list",
    data_ref: key,
    [key]: rows,
    total,
    ...(total_estimated && { total_estimated }),
    ...(has_more !== undefined && { has_more }),
  } as { object: "list"; data_ref: Key } & Record<Key, Row[]> & Counts;
}

/** All conditions, joined for a `where`. */
export function all(conditions: readonly Sql[]): Sql {
  return joined(conditions, "and", sql`true`);
}
