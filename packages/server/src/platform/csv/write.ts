import { pipeline, Readable } from "node:stream";
import { type Options, stringify } from "csv-stringify";
import { stringify as stringifyAtOnce } from "csv-stringify/sync";

/** What a cell may hold: null is an empty one, a list stands in one cell with commas between. */
export type CsvCell = string | number | boolean | null | readonly (string | number)[] | CsvNumber;

/** A number written by hand, such as `-20.00`: it is no text that somebody else chose, and no formula. */
interface CsvNumber {
  readonly number: string;
}

/**
 * What becomes of a text, in a title or a cell, that a spreadsheet would take for a formula: an apostrophe before it, or
 * nothing, for machines that read the text as it was sent. Numbers are never touched.
 */
export type CsvFormulas = "neutralise" | "keep";

/**
 * Comma-separated text with a header, quoted as in RFC 4180 (vouchers-and-campaigns.md §10.4). Rows are taken as the reader
 * asks for them, at most some dozens ahead. Lines end in a line feed alone, which a reader that splits at it expects too.
 *
 * Whoever sends us a name chooses what stands in the cells, and whoever opens the text is somebody else: a source id
 * `=HYPERLINK(…)` would act in their name. So formulas are neutralised unless the reader asks for the texts themselves.
 *
 * The reports of asynchronous actions write with it.
 */
export function writeCsv(
  titles: readonly string[],
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
  formulas: CsvFormulas = "neutralise",
): Readable {
  const text = stringify({ ...written(formulas), header: true, columns: [...titles] });
  // A fault of the rows ends the text with it: whoever reads the text is told.
  pipeline(Readable.from(rows), text, () => {});
  return text;
}

/** A piece of such a text at once, for whoever stores it piece by piece: rows of cells, titles among them as the first. */
export const csvText = (rows: readonly (readonly CsvCell[])[], formulas: CsvFormulas): string =>
  stringifyAtOnce([...rows], written(formulas));

const written = (formulas: CsvFormulas): Options => ({
  record_delimiter: "\n",
  // A lone carriage return ends a line for many readers, ours too.
  quoted_match: /\r/,
  escape_formulas: formulas === "neutralise",
  cast: {
    boolean: String,
    object: (held: unknown) => {
      const cell = held as CsvNumber | readonly (string | number)[];
      return "number" in cell ? { value: cell.number, escape_formulas: false } : cell.join(",");
    },
  },
});
