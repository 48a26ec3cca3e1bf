import { shapeCheck } from "../../platform/http/shapes/validation.js";
import { Cells, Unreadable } from "./cells.js";
import { readHeader } from "./header.js";
import {
  columnOf,
  type ImportKind,
  type ImportParameters,
  type ImportTurn,
  type UnreadRow,
  type WaitingRow,
} from "./import.js";
import { metadataCells } from "./metadata-cells.js";

/** A row of an import: not looked into until somebody reads it. */
export interface PendingRow<Row> extends UnreadRow<Row> {
  row: number;
  /** Why it is taken no further, where that is known. */
  refused: string | null;
}

type Reading<Row> = Pick<ImportKind<Row & object>, "type" | "csv" | "shape" | "told_by">;
type Turn = Pick<ImportTurn<object>, "parameters" | "metadata_schemas">;

/** Makes what is asked once for a kind, and then once a slice, and then reads row by row. */
export function rowReader<Row extends object>({ type, csv, shape = csv?.shape, told_by }: Reading<Row>) {
  const faultOf = shape && shapeCheck(shape);
  const checked = (body: unknown): Row | string => faultOf?.(body)?.message ?? (body as Row);
  const nameIn = (said: unknown) => String((told_by && (said as Row)[told_by]) ?? "");

  return ({ parameters, metadata_schemas }: Turn): ((waiting: WaitingRow) => PendingRow<Row>) => {
    const readCells = cellsReader(parameters as ImportParameters);
    return (waiting) => {
      const { row } = waiting;
      if ("fault" in waiting) return { row, name: waiting.name ?? "", refused: waiting.fault, read: () => null };
      if ("said" in waiting) return pending(row, nameIn(waiting.said), () => checked(waiting.said));
      return readCells(row, waiting.cells);
    };

    /** Notes why where it cannot be read. */
    function pending(row: number, name: string, bodyOf: (is_known: boolean) => Row | string): PendingRow<Row> {
      const one: PendingRow<Row> = {
        row,
        name,
        refused: null,
        read(is_known = false) {
          const body = bodyOf(is_known);
          if (typeof body !== "string") return body;
          one.refused = body;
          return null;
        },
      };
      return one;
    }

    function cellsReader({ columns = [] }: ImportParameters) {
      if (!csv)
        return (): never => {
          throw new Error(`${type} takes no file`);
        };
      const header = readHeader(csv, columns);
      const types = metadata_schemas.typesOf(csv.metadata);
      const bodyOf = (cells: Cells, row: readonly string[], is_known: boolean): Row | string => {
        try {
          const body =
            is_known && csv.changesOf
              ? csv.changesOf(cells)
              : csv.bodyOf(cells, metadataCells(header.metadata, row, types));
          return checked(body);
        } catch (error) {
          if (error instanceof Unreadable) return error.message;
          throw error;
        }
      };
      return (row: number, texts: readonly string[]): PendingRow<Row> => {
        const cells = new Cells(header.known, texts);
        const name = (told_by && cells.text(columnOf(told_by))) ?? "";
        return pending(row, name, (is_known) => bodyOf(cells, texts, is_known));
      };
    }
  };
}
