import { ends, type Page, pageOfRows, rowsOf } from "./pages.js";
import type { ShelfRow } from "./shelf.js";

/** Texts that come one by one are gathered up to so many characters. */
const gathered_max = 2 ** 18;

/** A page, and where each of its rows begins. */
interface PackedPage {
  bytes: Buffer;
  begins: Uint32Array;
}

/**
 * Texts by id, as they were read, in the order of the ids. They lie outside of the heap, where nothing collects rubbish
 * among them: as strings in maps they took three times the memory, and the collector as much again. Pages are kept as they
 * came: copied row by row they took the process half of the time of a first reading. A look-up is a binary search of about
 * 1 µs at a hundred thousand.
 */
export class PackedTexts implements Iterable<ShelfRow> {
  private readonly pages: PackedPage[] = [];
  private gathered: ShelfRow[] = [];
  private gathered_length = 0;
  private count = 0;
  private taken = 0;

  /** @throws when the rows do not go on in the order of ids. */
  static of(rows: Iterable<ShelfRow>): PackedTexts {
    const texts = new PackedTexts();
    for (const row of rows) texts.add(row);
    return texts.sealed();
  }

  get size(): number {
    return this.count;
  }

  /** What they take, once they are sealed. */
  get bytes(): number {
    return this.taken;
  }

  add(row: ShelfRow): void {
    this.gathered.push(row);
    this.gathered_length += row.text.length;
    if (this.gathered_length > gathered_max) this.sealed();
  }

  addPage(page: Page): void {
    if (page.count === 0) return;
    const bytes = ofItsOwn(page.bytes);
    const begins = beginsOf(bytes, page.count);
    const last = this.pages.at(-1);
    if (last && compareIds(last.bytes, last.begins.at(-1) as number, bytes, 0) >= 0) throw outOfOrder(bytes, 0);
    this.pages.push({ bytes, begins });
    this.count += page.count;
    this.taken += bytes.byteLength + begins.byteLength;
  }

  /** Packs what has come one by one. */
  sealed(): this {
    this.addPage(pageOfRows(this.gathered));
    this.gathered = [];
    this.gathered_length = 0;
    return this;
  }

  get(id: string): string | undefined {
    const name = Buffer.from(`${id}${String.fromCharCode(ends.id)}`);
    if (name.indexOf(ends.id) < name.length - 1) return undefined;
    const after = firstWhere(this.pages.length, (i) => compareIds((this.pages[i] as PackedPage).bytes, 0, name, 0) > 0);
    const packed = this.pages[after - 1];
    if (!packed) return undefined;
    const { bytes, begins } = packed;
    const at = firstWhere(begins.length, (i) => compareIds(bytes, begins[i] as number, name, 0) >= 0);
    const from = begins[at];
    if (from === undefined || compareIds(bytes, from, name, 0) !== 0) return undefined;
    const end = begins[at + 1] ?? bytes.length;
    return bytes.toString("utf8", from + name.length, end - 1);
  }

  *[Symbol.iterator](): Iterator<ShelfRow> {
    for (const page of this.pages) yield* rowsOf(page);
  }
}

/** Small texts share a pool, which one that is kept would hold on to. */
function ofItsOwn(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

function beginsOf(bytes: Buffer, count: number): Uint32Array {
  const begins = new Uint32Array(count);
  for (let i = 1; i < count; i += 1) {
    const before = begins[i - 1] as number;
    const from = bytes.indexOf(ends.text, before) + 1;
    if (compareIds(bytes, before, bytes, from) >= 0) throw outOfOrder(bytes, from);
    begins[i] = from;
  }
  return begins;
}

/** How the id that begins there stands to the other: their ends come before every other character. */
function compareIds(bytes: Buffer, from: number, others: Buffer, other_from: number): number {
  for (let i = 0; ; i += 1) {
    const [one, other] = [bytes[from + i] as number, others[other_from + i] as number];
    if (one !== other) return one - other;
    if (one === ends.id) return 0;
  }
}

const outOfOrder = (bytes: Buffer, from: number) =>
  new Error(`ids out of order on a shelf: ${bytes.toString("utf8", from, bytes.indexOf(ends.id, from))}`);

/** The first of so many for which it holds, where it holds for all behind it as well; their number where it holds for none. */
function firstWhere(count: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
