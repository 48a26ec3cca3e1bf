import type { Tx } from "../platform/db/database.js";
import type { Sql } from "../platform/db/sql.js";

/**
 * When a part is written. Objects first, since the books speak of them; what many requests share last, since its rows
 * are held until the commit.
 */
export type Stage = "objects" | "books" | "shared";

/**
 * What writes rows: statements of which nobody need see what they answer, since they fail by themselves where something must not
 * be. Or else what sends them, at once, and rejects when one of them fails or answers what it must not.
 */
export type Writing = readonly Sql[] | ((tx: Tx) => Promise<unknown>);

/** Rows of one kind that a change writes by one array statement, whoever adds them. */
export interface Part<Row> {
  readonly name: string;
  readonly stage: Stage;
  /** Rows of which one statement could not write two: of several the last counts. */
  readonly keyOf: ((row: Row) => string) | undefined;
  /** There is at least one row. */
  write(project_id: string, rows: readonly Row[]): Writing;
}

/** Declares a {@link Part}, beside the statement that writes it. */
export function part<Row>(
  name: string,
  stage: Stage,
  write: Part<Row>["write"],
  keyOf?: Part<Row>["keyOf"],
): Part<Row> {
  return { name, stage, write, keyOf };
}
