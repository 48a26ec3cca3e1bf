import { shapeCheck } from "../../platform/http/validation.js";
import { Cells, Unreadable } from "./cells.js";
import { readHeader } from "./header.js";
import type { ImportKind, ImportParameters, ImportTurn, WaitingRow } from "./import.js";
import { metadataCells } from "./metadata-cells.js";

/** A row that its object's own door may see, or why it may not; with what it is told by. */
export type ReadRow<Row> = { row: number; name: string } & ({ body: Row } | { refused: string });

type Reading<Row> = Pick<ImportKind<Row & object>, "type" | "csv" | "told_by">;
type Turn = Pick<ImportTurn<object>, "parameters" | "metadata_schemas">;

/** Makes what is asked once for a kind, and then once a slice, and then reads row by row. */
export function rowReader<Row extends object>({ type, csv, told_by }: Reading<Row>) {
  const faultOf = csv && shapeCheck(csv.shape);
  const nameIn = (said: unknown) => String((told_by && (said as Row)[told_by]) ?? "");

  return ({ parameters, metadata_schemas }: Turn): ((waiting: WaitingRow) => ReadRow<Row>) => {
    const readCells = cellsReader(parameters as ImportParameters);
    return (waiting) => {
      const { row } = waiting;
      if ("fault" in waiting) return { row, name: waiting.name ?? "", refused: waiting.fault };
      if ("said" in waiting) return { row, name: nameIn(waiting.said), body: waiting.said as Row };
      return { row, ...readCells(waiting.cells) };
    };

    function cellsReader({ columns = [] }: ImportParameters) {
      if (!csv)
        return (): never => {
          throw new Error(`${type} takes no file`);
        };
      const header = readHeader(csv, columns);
      const types = metadata_schemas.typesOf(csv.metadata);
      return (row: readonly string[]) => {
        const cells = new Cells(header.known, row);
        const name = (told_by && cells.text(told_by.replace("_", " "))) ?? "";
        try {
          const body = csv.bodyOf(cells, metadataCells(header.metadata, row, types));
          const fault = faultOf?.(body);
          return fault ? { name, refused: fault.message } : { name, body: body as Row };
        } catch (error) {
          if (error instanceof Unreadable) return { name, refused: error.message };
          throw error;
        }
      };
    }
  };
}
