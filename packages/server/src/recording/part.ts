import type { Tx } from "../platform/db/database.js";

/**
 * When a part is written. Objects first, since the books speak of them; what many requests share last, since its rows
 * are held until the commit.
 */
export type Stage = "objects" | "books" | "shared";

/** Rows of one kind that a change writes by one array statement, whoever adds them. */
export interface Part<Row> {
  readonly name: string;
  readonly stage: Stage;
  /** Rows of which one statement could not write two: of several the last counts. */
  readonly keyOf: ((row: Row) => string) | undefined;
  /** Sends its statements at once and rejects when one of them, or what it guards, fails. */
  write(tx: Tx, project_id: string, rows: readonly Row[]): Promise<unknown>;
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
