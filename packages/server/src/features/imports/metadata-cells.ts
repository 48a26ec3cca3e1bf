import type { MetadataType } from "../../terms/index.js";
import type { Column } from "./cells.js";

/** Of what type a schema says the values of its keys are. */
type MetadataTypes = ReadonlyMap<string, { type: MetadataType; is_array: boolean }>;

/** The metadata of a row: each cell as the schema has its key, else a text. Undefined where no cell says anything. */
export function metadataCells(
  columns: readonly Column[],
  cells: readonly string[],
  types: MetadataTypes,
): Record<string, unknown> | undefined {
  const said: [string, unknown][] = [];
  for (const { place, title } of columns) {
    const cell = cells[place];
    if (!cell) continue;
    const known = types.get(title);
    said.push([title, known?.is_array ? listOf(cell, known.type) : readAs(cell, known?.type)]);
  }
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/** What cannot be read stays a text, and the schema says what it should have been. */
function readAs(cell: string, type: MetadataType | undefined): unknown {
  if (type === "number") return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell.trim()) ? Number(cell) : cell;
  if (type === "boolean") return { true: true, false: false }[cell.trim().toLowerCase()] ?? cell;
  return type === "object" ? jsonOr(cell) : cell;
}

/** A list is JSON, or values with commas between, as exports write it. */
function listOf(cell: string, type: MetadataType): unknown {
  const read = cell.trimStart().startsWith("[") ? jsonOr(cell) : undefined;
  return Array.isArray(read) ? read : cell.split(",").map((one) => readAs(one.trim(), type));
}

function jsonOr(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
