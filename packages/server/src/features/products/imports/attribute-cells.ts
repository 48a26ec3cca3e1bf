import { type Cells, Unreadable } from "../../imports/index.js";

/** Names of a product's attributes: JSON, as exports write them, or names with commas between. */
export function namesIn(cells: Cells): string[] | undefined {
  const cell = cells.text("attributes")?.trim();
  if (!cell) return undefined;
  return cell.startsWith("[") ? jsonIn(cell, "a list of names") : cell.split(",").map((name) => name.trim());
}

/** A SKU's values for them: JSON, as exports write them, or `color: blue, size: L`. */
export function valuesIn(cells: Cells): Record<string, unknown> | undefined {
  const cell = cells.text("attributes")?.trim();
  if (!cell) return undefined;
  if (cell.startsWith("{")) return jsonIn(cell, pairs);
  const said = cell.split(",").map((pair) => {
    const [, name, value] = /^\s*([^:]*[^:\s])\s*:\s*(.*?)\s*$/.exec(pair) ?? [];
    if (name === undefined) throw unreadable(pairs);
    return [name, value] as const;
  });
  return Object.fromEntries(said);
}

const pairs = "pairs such as color: blue, size: L";

/** What is in it is checked by the shape of the row. */
function jsonIn<Value>(cell: string, what: string): Value {
  try {
    return JSON.parse(cell);
  } catch {
    throw unreadable(what);
  }
}

const unreadable = (what: string) => new Unreadable(`Column 'attributes' must be ${what}, or JSON`);
