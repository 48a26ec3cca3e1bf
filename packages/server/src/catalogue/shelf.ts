import type { RuleEnvironment } from "@guerdon/engine";
import type { Sql } from "../platform/db/sql.js";

/** An object as a shelf keeps it until somebody meets it: its id, and as JSON what decisions need of it, nothing else. */
export interface ShelfRow {
  id: string;
  text: string;
}

/** What compiling may look at beside the object. */
export interface ShelfEnvironment extends RuleEnvironment {
  time_zone: string;
}

/** One kind of thing that decisions look at, as its feature exports it. The catalogue knows no kind by name. */
export interface Shelf<Entry> {
  /** What is on it, by name. */
  readonly kind: string;
  /** What edits call the objects whose ids name a row of it. */
  readonly follows: readonly string[];
  /** Selects rows in the order of their ids, byte by byte, those after the id. */
  page(project_id: string, after_id: string, limit: number): Sql;
  /** Selects those of the objects that are there. */
  byIds(project_id: string, ids: readonly string[]): Sql;
  /** Null for what this version cannot read: it counts as absent. */
  compile(row: ShelfRow, environment: ShelfEnvironment): Entry | null;
}

/** A shelf, its texts read: `Stored` is what the statements write into them. */
export const shelf = <Stored, Entry>({
  kind,
  follows = [kind],
  page,
  byIds,
  compile,
}: Pick<Shelf<Entry>, "kind" | "page" | "byIds"> & {
  follows?: readonly string[];
  compile(id: string, stored: Stored, environment: ShelfEnvironment): Entry | null;
}): Shelf<Entry> => ({
  kind,
  follows,
  page,
  byIds,
  compile: ({ id, text }, environment) => compile(id, JSON.parse(text) as Stored, environment),
});
