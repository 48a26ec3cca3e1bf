import { type Page, type Placed, pageOfRows, placesOf } from "./pages.js";
import type { ShelfRow } from "./shelf.js";

const chunk_bits = 18;
const chunk_bytes = 1 << chunk_bits;
const places_of_page = 4096;
/** As many as a place of 32 bits can name: 4 GiB. */
const chunks_max = 2 ** (32 - chunk_bits);

/** Lengths of a record's id and text stand before them. */
const head_bytes = 6;

/**
 * Texts by id, written once in the order of the ids and then only read. They lie outside of the heap, where nothing
 * collects rubbish among them: as strings in maps they took three times the memory, and the collector as much again.
 * A look-up is a binary search of 1 to 2 µs at a hundred thousand.
 */
export class PackedTexts implements Iterable<ShelfRow> {
  private readonly chunks: Buffer[] = [];
  private readonly places: Uint32Array[] = [];
  private free = 0;
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
    this.addPage(pageOfRows([row]));
  }

  addPage(page: Page): void {
    for (const placed of placesOf(page)) this.put(page.bytes, placed);
  }

  private put(bytes: Buffer, { id, text, end }: Placed): void {
    const id_end = text - 1;
    if (this.count > 0 && this.compareTo(this.count - 1, bytes, id, id_end) <= 0)
      throw new Error(`ids out of order on a shelf: ${bytes.toString("utf8", id, id_end)}`);
    const at = this.room(head_bytes + id_end - id + end - text);
    const chunk = this.chunks.at(-1) as Buffer;
    chunk.writeUInt16LE(id_end - id, at);
    chunk.writeUInt32LE(end - text, at + 2);
    bytes.copy(chunk, at + head_bytes, id, id_end);
    bytes.copy(chunk, at + head_bytes + id_end - id, text, end);
  }

  /** Gives back the room that nothing was written to: a project may have many small shelves. */
  sealed(): this {
    const last = this.chunks.pop();
    if (last) this.chunks.push(Buffer.from(last.subarray(0, last.length - this.free)));
    const places = this.places.pop();
    if (places) this.places.push(places.slice(0, this.count - this.places.length * places_of_page));
    this.free = 0;
    this.taken = [...this.chunks, ...this.places].reduce((sum, part) => sum + part.byteLength, 0);
    return this;
  }

  get(id: string): string | undefined {
    const name = Buffer.from(id);
    let low = 0;
    let high = this.count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = this.compareTo(middle, name, 0, name.length);
      if (order === 0) {
        const { chunk, at } = this.placeOf(middle);
        return textAt(chunk, at);
      }
      if (order > 0) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  *[Symbol.iterator](): Iterator<ShelfRow> {
    for (let i = 0; i < this.count; i += 1) {
      const { chunk, at } = this.placeOf(i);
      const from = at + head_bytes;
      yield { id: chunk.toString("utf8", from, from + chunk.readUInt16LE(at)), text: textAt(chunk, at) };
    }
  }

  /** How the id among the bytes stands to the one of the record: above 0 where it comes after. */
  private compareTo(i: number, bytes: Buffer, from: number, end: number): number {
    const { chunk, at } = this.placeOf(i);
    const known = at + head_bytes;
    return bytes.compare(chunk, known, known + chunk.readUInt16LE(at), from, end);
  }

  /** Where in the last chunk a record of so many bytes begins. */
  private room(bytes: number): number {
    if (this.free < bytes) {
      // What is larger than a chunk has one of its own, with nothing behind it.
      this.free = Math.max(bytes, chunk_bytes);
      if (this.chunks.length === chunks_max) throw new Error("a shelf is larger than 4 GiB");
      this.chunks.push(Buffer.allocUnsafeSlow(this.free));
    }
    const chunk = this.chunks.at(-1) as Buffer;
    const at = chunk.length - this.free;
    this.free = chunk.length > chunk_bytes ? 0 : this.free - bytes;
    this.keepPlace((this.chunks.length - 1) * chunk_bytes + at);
    return at;
  }

  private keepPlace(place: number): void {
    if (this.count % places_of_page === 0) this.places.push(new Uint32Array(places_of_page));
    (this.places.at(-1) as Uint32Array)[this.count % places_of_page] = place;
    this.count += 1;
  }

  private placeOf(i: number): { chunk: Buffer; at: number } {
    const place = (this.places[Math.floor(i / places_of_page)] as Uint32Array)[i % places_of_page] as number;
    return { chunk: this.chunks[place >>> chunk_bits] as Buffer, at: place & (chunk_bytes - 1) };
  }
}

function textAt(chunk: Buffer, at: number): string {
  const from = at + head_bytes + chunk.readUInt16LE(at);
  return chunk.toString("utf8", from, from + chunk.readUInt32LE(at + 2));
}
