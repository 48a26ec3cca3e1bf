import { locale, t } from "../../text/index.js";
import { CsvReader, type Row, separatorIn } from "./csv.js";

const words = t.imports;

/** The bounds of the service, so that nobody waits for an upload to be told. */
const file_bytes_max = 10_485_760;
const head_bytes = 262_144;
const columns_max = 1_024;
const rows_shown = 5;

/** The beginning of a file: all that is read of it before it is sent. */
export interface Head {
  separator: string;
  titles: string[];
  /** The first rows. */
  rows: string[][];
  /** Where they begin. */
  rows_at: number;
}

/** What no import could do anything with, in words. */
export class Unfit extends Error {}

/** Reads no more than the beginning of a file, however large it is. */
export async function readHead(file: Blob): Promise<Head> {
  if (file.size > file_bytes_max) throw new Unfit(words.too_large(sizeOf(file)));
  const bytes = new Uint8Array(await file.slice(0, head_bytes).arrayBuffer());
  const packed = no_texts.find(([magic]) => magic.every((byte, i) => bytes[i] === byte));
  if (packed) throw new Unfit(packed[1]);
  // What was cut in the middle of a letter waits for its rest, and is not wrong.
  const text = new TextDecoder().decode(bytes, { stream: true });
  if (text.includes("\u0000")) throw new Unfit(words.no_text);
  if (text.includes("\ufffd")) throw new Unfit(words.no_utf_8);
  const bom_bytes = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return headIn(text, file.size > head_bytes, bom_bytes);
}

/** How files begin that people send in the place of text. */
const no_texts: readonly [magic: readonly number[], why: string][] = [
  [[0x1f, 0x8b], words.packed],
  [[0x28, 0xb5, 0x2f, 0xfd], words.packed],
  [[0x50, 0x4b, 0x03, 0x04], words.spreadsheet],
  [[0xd0, 0xcf, 0x11, 0xe0], words.spreadsheet],
  [[0xff, 0xfe], words.utf_16],
  [[0xfe, 0xff], words.utf_16],
];

function headIn(text: string, is_cut: boolean, bom_bytes: number): Head {
  if (text.trim() === "") throw new Unfit(words.empty);
  const separator = separatorIn(text);
  const reader = new CsvReader(separator);
  const whole = reader.read(text);
  const last = is_cut ? undefined : reader.end();
  if (last?.row && !last.is_open) whole.push(last.row);
  const [header, ...rows] = whole;
  if (!header) throw new Unfit(words.header_too_large);
  const titles = header.cells.map((title) => title.trim());
  if (titles.length > columns_max) throw new Unfit(words.too_many_columns(numberOf(titles.length)));
  if (titles.every((title) => title === "")) throw new Unfit(words.untitled_header);
  const shown = rows.map(({ cells }) => cells).filter((cells) => !isBlank(cells, titles.length));
  if (shown.length === 0 && !is_cut) throw new Unfit(words.no_rows);
  const rows_at = bom_bytes + new TextEncoder().encode(text.slice(0, endOf(header, text))).length;
  return { separator, titles, rows: shown.slice(0, rows_shown), rows_at };
}

/** Behind its whole line end, of which a row takes the first half. */
const endOf = ({ end }: Row, text: string) => (text[end - 1] === "\r" && text[end] === "\n" ? end + 1 : end);

/** A line of blanks is no row, unless blanks are all that a row could hold. */
export const isBlank = (cells: readonly string[], columns: number) =>
  columns > 1 && cells.length === 1 && cells[0]?.trim() === "";

const numberOf = (number: number) => number.toLocaleString(locale);
const mega = 1_048_576;

/** `3.2 MB`, `12 kB`: what a file weighs. */
export const sizeOf = ({ size }: Blob): string =>
  size >= mega ? `${(size / mega).toFixed(1)} MB` : `${numberOf(Math.ceil(size / 1_024))} kB`;
