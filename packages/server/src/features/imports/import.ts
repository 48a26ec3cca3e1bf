import type { TSchema } from "typebox";
import type { Cause } from "../../events/index.js";
import type { Change } from "../../recording/index.js";
import type { MetadataObject, MetadataSchemas } from "../../terms/index.js";
import type { AsyncActionType } from "../async-actions/index.js";
import type { Project } from "../projects/index.js";
import type { Cells } from "./cells.js";

/** A row as it waits for its turn: what a file said of it, or a body that was checked already, or why it is taken no further. */
export type WaitingRow = { row: number } & (
  | { cells: readonly string[] }
  | { said: unknown }
  | { fault: string; name?: string }
);

/** What became of a row: why it was refused, or whether it made something new. */
export type RowOutcome = { refused: string } | { is_new: boolean };

/** A row that nobody has looked into yet. */
export interface UnreadRow<Row> {
  /** What it is told by, as it is written. */
  name: string;
  /**
   * The body; null where it cannot be read, and why is known by then.
   * @param is_known what it names is there already: no more is read than may change of that ({@link CsvShape.changesOf})
   */
  read(is_known?: boolean): Row | null;
}

/** What the rows of one turn are done with. */
export interface ImportTurn<Parameters> extends Pick<Cause, "project_id" | "instant"> {
  project: Project;
  metadata_schemas: MetadataSchemas;
  parameters: Parameters;
}

/** How a row of a file becomes what the operation of one object is sent. */
export interface CsvShape<Row> {
  /** Columns that mean something, in small letters with blanks between words; case, `_` and blanks are alike in files. */
  columns: readonly string[];
  /** Those without which no row could be taken: a file without them is refused. */
  required: readonly string[];
  /** All other columns are metadata of this, typed as its schema says. */
  metadata: MetadataObject;
  /** The body; what cannot be read is thrown by {@link Cells}. Metadata is undefined where the file has no such column. */
  bodyOf(cells: Cells, metadata: Record<string, unknown> | undefined): { [Field in keyof Row]?: unknown };
  /** What a row may change of what is there already, where that is not the whole: the other cells go unread, whatever they hold. */
  changesOf?(cells: Cells): { [Field in keyof Row]?: unknown };
  shape: TSchema;
  /** A column whose value may stand in a file once, and the form in which two are compared. */
  once?: { column: string; keyOf(project: Project, cell: string): string };
}

/** One kind of import. Everything that all of them do alike is done around it. */
export interface ImportKind<Row extends object, Parameters extends object = object> {
  type: AsyncActionType;
  /** What a row makes. */
  noun: "voucher" | "customer" | "product" | "sku" | "order";
  /** The field that a refused row is told by, beside its number in a file. */
  told_by: (keyof Row & ("code" | "source_id")) | null;
  /** Rows that a first slice takes, and the most that any may take. */
  rows: { start: number; max: number };
  /** Absent: its rows come as JSON, and the door has checked them, but for `shape`. */
  csv?: CsvShape<Row>;
  /** What each row of JSON is held against when its turn comes, where the door looks for less (`typesAlone`). */
  shape?: TSchema;
  /**
   * Stores the rows, in their order, by the door of the object itself, and answers null for those that could not be read
   * ({@link readingFirst} where all are looked into before anything is written). May stop after some of them, at least one,
   * where more would need more keys than a change may hold; the others come again.
   */
  apply(change: Change, turn: ImportTurn<Parameters>, rows: readonly UnreadRow<Row>[]): Promise<(RowOutcome | null)[]>;
  /** Told in the change in which it ends, however it does: how many rows made something new. */
  ended?(change: Change, turn: ImportTurn<Parameters>, new_count: number): Promise<void>;
}

/** What every slice of an import is told. */
export type ImportParameters<Parameters = object> = Parameters & {
  count: number;
  /** Of a file, as they are written there. */
  columns?: readonly string[];
};

/** The column of a file that holds a field, as {@link CsvShape} names columns. */
export const columnOf = (field: string): string => field.replace("_", " ");

/** Rows of one import. */
export const import_rows_max = 1_000_000;
/** Imports of a project whose rows are kept, since they wait, are under way or are being sent. */
export const imports_max = 100;
/** Rows, and characters, that are written as one piece; a single row may be larger. */
export const piece_rows_max = 500;
export const piece_length_max = 131_072;
/** Refused rows whose reasons the result tells. */
export const refused_told_max = 1_000;
