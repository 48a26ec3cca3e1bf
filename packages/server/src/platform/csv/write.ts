import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";

/** What a cell may hold: null is an empty one, a list stands in one cell with commas between. */
export type CsvCell = string | number | boolean | null | readonly (string | number)[];

/**
 * Comma-separated text with a header, quoted as in RFC 4180 (vouchers-and-campaigns.md §10.4). Rows are taken as the reader
 * asks for them, at most some dozens ahead. Lines end in a line feed alone, which a reader that splits at it expects too.
 *
 * The exports of the next issue and the reports of asynchronous actions write with it.
 */
export function writeCsv(
  titles: readonly string[],
  rows: Iterable<readonly CsvCell[]> | AsyncIterable<readonly CsvCell[]>,
): Readable {
  const text = stringify({
    header: true,
    columns: [...titles],
    record_delimiter: "\n",
    // A lone carriage return ends a line for many readers, ours too.
    quoted_match: /\r/,
    cast: { boolean: String, object: (list: unknown) => (list as readonly (string | number)[]).join(",") },
  });
  // A fault of the rows ends the text with it: whoever reads the text is told.
  pipeline(Readable.from(rows), text, () => {});
  return text;
}
