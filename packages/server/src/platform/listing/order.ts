import { joined, type Sql, sql } from "../db/sql.js";

/** What a list is sorted by. */
export interface Order {
  /** The last one is unique, so that pages never overlap. All in one direction, so that one index serves both. */
  keys: readonly Sql[];
  descending: boolean;
  /** Rows may have no value to sort by, and no position between others then. */
  nullable: boolean;
}

/** The keys behind a name of `order`. */
export interface SortKey {
  keys: readonly Sql[];
  nullable?: true;
}

/** `-created_at` and the like, as the resource declares them. */
export function orderOf<Name extends string>(order: Name | `-${Name}`, names: Readonly<Record<Name, SortKey>>): Order {
  const descending = order.startsWith("-");
  const { keys, nullable = false } = names[(descending ? order.slice(1) : order) as Name];
  return { keys, descending, nullable };
}

/**
 * The order as SQL, without a word on nulls, so that the index on the keys serves both directions.
 */
export function orderedBy({ keys, descending }: Order): Sql {
  return joined(
    keys.map((key) => (descending ? sql`${key} desc` : sql`${key}`)),
    ",",
  );
}
