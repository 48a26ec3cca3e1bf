import { problems } from "../../platform/http/problems.js";
import type { Column } from "./cells.js";

/** What the columns of a file mean: those that are known by their names, and the others, whose titles are keys of metadata. */
export interface Header {
  known: ReadonlyMap<string, Column>;
  metadata: readonly Column[];
}

interface Known {
  columns: readonly string[];
  required: readonly string[];
}

/** Case, `_` and blanks are alike: templates write both `Redeemed quantity` and `Redeemed Quantity` (§9.2). */
const compared = (title: string) => title.toLowerCase().replace(/[_\s]+/g, " ");

/** Reads a header; refused where two columns mean one thing, or where one is missing without which no row can be taken. */
export function readHeader({ columns, required }: Known, titles: readonly string[]): Header {
  const known = new Map<string, Column>();
  const metadata: Column[] = [];
  for (const [place, title] of titles.entries()) {
    const name = compared(title);
    if (!columns.includes(name)) metadata.push({ place, title });
    else if (known.has(name)) throw unreadable(`has two columns named '${title}'`);
    else known.set(name, { place, title });
  }
  const missing = required.find((name) => !known.has(name));
  if (missing !== undefined) {
    const one = titles.length === 1 ? ": are its columns separated by commas?" : "";
    throw unreadable(`has no column '${missing}'${one}`);
  }
  return { known, metadata };
}

const unreadable = (what: string) => problems.invalidPayload(`Property .file ${what}`);
