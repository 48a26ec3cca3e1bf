import type { Readable } from "node:stream";
import { type Parser, parse } from "csv-parse";
import { problems } from "../http/problems.js";
import { slices } from "../sharing/slices.js";

/** What a CSV text may hold. Its size is bounded by whoever takes it in. */
export interface CsvBounds {
  columns_max: number;
  /** Characters in one cell. */
  cell_length_max: number;
  /** Bytes of one row: one beyond them is faulty, and one beyond four times as many is not read to its end. */
  row_bytes_max: number;
}

const default_bounds: CsvBounds = { columns_max: 1_024, cell_length_max: 16_384, row_bytes_max: 262_144 };

/** A row counts from 1, without the header and empty lines (vouchers-and-campaigns.md §9.2). */
export type CsvRow =
  | {
      row: number;
      /** One for each column, in their order. */
      cells: readonly string[];
    }
  | {
      row: number;
      fault: string;
      /** What stood in it all the same, by which it may be told: as many as there were, empty where one cannot be stored. */
      cells: readonly string[];
    };

interface CsvText {
  /** Their names as they are written, without blanks around them. */
  columns: readonly string[];
  rows: AsyncGenerator<CsvRow>;
}

interface Piece {
  cells: string[];
  bytes: number;
}

/**
 * Reads comma-separated text of UTF-8 with a header: byte-order mark or none, any line end, quotes as in RFC 4180 (a stray
 * one stands for itself, as in spreadsheets). Rows come as they are read, a faulty one with what is wrong with it while the
 * others go on. Only a row without an end, mostly since a quote is never closed, is the last one. Without a header that
 * names each column once nothing is read, and that is thrown; so is a file that is packed, or no UTF-8 by its first bytes.
 *
 * Imports read with it (`features/imports`).
 */
export async function openCsv(content: Readable, bounds: CsvBounds = default_bounds): Promise<CsvText> {
  const pieces = piecesOf(content, bounds.row_bytes_max);
  const header = await pieces.next();
  if (header.done) throw unreadable("has no header");
  if (header.value === null || header.value.bytes > bounds.row_bytes_max) {
    await pieces.return(null);
    throw unreadable("has a header that is too large");
  }
  const columns = columnsOf(header.value.cells, bounds);
  return { columns, rows: rowsOf(pieces, columns, bounds) };
}

async function* rowsOf(
  pieces: AsyncIterable<Piece | null>,
  columns: string[],
  bounds: CsvBounds,
): AsyncGenerator<CsvRow> {
  let row = 0;
  for await (const piece of pieces) {
    if (piece !== null && columns.length > 1 && isBlank(piece)) continue;
    row += 1;
    const fault = piece === null ? "has no end: is a quote not closed?" : faultOf(piece, columns, bounds);
    yield fault === null && piece
      ? { row, cells: piece.cells }
      : { row, fault: `Row ${row} ${fault}`, cells: storableOf(piece, bounds) };
  }
}

const isBlank = ({ cells: [only = "", ...others] }: Piece) => others.length === 0 && only.trim() === "";

/** Read at once: a whole chunk, as sockets bring them, takes the thread for 15 ms with what is done with its rows. */
const part_bytes = 8_192;

/** Rows as they are read; null for what has no end. */
async function* piecesOf(content: Readable, row_bytes_max: number): AsyncGenerator<Piece | null> {
  const pieces: Piece[] = [];
  let bytes_read = 0;
  const parser = parse({
    bom: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    // The stream's own output would lose what was read before an error, and tell nobody which row that was.
    on_record: (cells: string[], { bytes }) => {
      pieces.push({ cells, bytes: bytes - bytes_read });
      bytes_read = bytes;
      return null;
    },
  });
  // Told to whoever writes or ends, below.
  parser.on("error", () => {});
  parser.resume();
  const breathe = slices();
  let bytes_written = 0;
  let first = Buffer.alloc(0);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (first.length < magic_bytes) first = assertText(Buffer.concat([first, chunk.subarray(0, magic_bytes)]));
    for (let from = 0; from < chunk.length; from += part_bytes) {
      const part = chunk.subarray(from, from + part_bytes);
      await written(parser, part);
      bytes_written += part.length;
      yield* pieces.splice(0);
      if (bytes_written - bytes_read > 4 * row_bytes_max) return yield null;
      await breathe();
    }
  }
  const is_whole = await ended(parser);
  yield* pieces.splice(0);
  if (!is_whole) yield null;
}

const written = (parser: Parser, chunk: Buffer) =>
  new Promise<void>((resolve, reject) => parser.write(chunk, (error) => (error ? reject(error) : resolve())));

/** Whether the last row had an end: all else is allowed. */
const ended = (parser: Parser) =>
  new Promise<boolean>((resolve) => {
    parser.once("error", () => resolve(false));
    parser.once("end", () => resolve(true));
    parser.end();
  });

function columnsOf(names: string[], { columns_max, cell_length_max }: CsvBounds): string[] {
  if (names.length > columns_max) throw unreadable(`has more than ${columns_max} columns`);
  const columns = names.map((name) => name.trim());
  const unfit = columns.find((name) => name === "" || textFaultOf(name, cell_length_max) !== null);
  if (unfit !== undefined) throw unreadable("has a column without a name, or with one that cannot be stored");
  const twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice !== undefined) throw unreadable(`has two columns named '${twice}'`);
  return columns;
}

function faultOf({ cells, bytes }: Piece, columns: string[], { cell_length_max, row_bytes_max }: CsvBounds) {
  if (bytes > row_bytes_max) return `has more than ${row_bytes_max} bytes`;
  if (cells.length !== columns.length) return `has ${cells.length} cells where the header has ${columns.length}`;
  for (const [i, cell] of cells.entries()) {
    const fault = textFaultOf(cell, cell_length_max);
    if (fault !== null) return `has in column '${columns[i]}' ${fault}`;
  }
  return null;
}

/** Of a row that is too large, or has no end, nothing is kept. */
const storableOf = (piece: Piece | null, { cell_length_max, row_bytes_max }: CsvBounds): string[] =>
  piece === null || piece.bytes > row_bytes_max
    ? []
    : piece.cells.map((cell) => (textFaultOf(cell, cell_length_max) === null ? cell : ""));

function textFaultOf(text: string, length_max: number): string | null {
  if (text.length > length_max) return `more than ${length_max} characters`;
  // Bytes that are not UTF-8 were read as U+FFFD. Who means that character is refused with those who do not.
  return text.includes("\u0000") || text.includes("\ufffd") ? "characters that cannot be stored" : null;
}

const magic_bytes = 4;

/** How files begin that people send in the place of text, and what to tell them. */
const no_texts: readonly [magic: readonly number[], what: string][] = [
  [[0x1f, 0x8b], "is compressed: send the text itself"],
  [[0x28, 0xb5, 0x2f, 0xfd], "is compressed: send the text itself"],
  [[0x50, 0x4b, 0x03, 0x04], "is an archive or a spreadsheet: save it as CSV first"],
  [[0xff, 0xfe], "is UTF-16: save it as UTF-8"],
  [[0xfe, 0xff], "is UTF-16: save it as UTF-8"],
];

function assertText(first: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const known = no_texts.find(([magic]) => magic.every((byte, i) => first[i] === byte));
  if (known) throw unreadable(known[1]);
  return first;
}

const unreadable = (what: string) => problems.invalidPayload(`Property .file ${what}`);
