// Doubling would leave half of the largest columns empty.
const grownLength = (needed: number, length: number) => Math.max(needed, Math.ceil(length * 1.25), 64);

/** A column of 32-bit integers that grows; what was never written is 0. */
export class IntColumn {
  private column = new Int32Array(64);

  /** For reading many cells; growing replaces the array. */
  get cells(): Int32Array {
    return this.column;
  }

  get(row: number): number {
    return this.column[row] ?? 0;
  }

  set(row: number, value: number) {
    this.reserve(row + 1);
    this.column[row] = value;
  }

  clear() {
    this.column.fill(0);
  }

  reserve(rows: number) {
    if (rows <= this.column.length) return;
    const grown = new Int32Array(grownLength(rows, this.column.length));
    grown.set(this.column);
    this.column = grown;
  }
}

/** Rows of a fixed number of 64-bit numbers. */
export class NumberRows {
  private column: Float64Array;

  constructor(private readonly width: number) {
    this.column = new Float64Array(64 * width);
  }

  get cells(): Float64Array {
    return this.column;
  }

  set(row: number, numbers: readonly number[]) {
    const needed = (row + 1) * this.width;
    if (needed > this.column.length) {
      const grown = new Float64Array(grownLength(needed, this.column.length));
      grown.set(this.column);
      this.column = grown;
    }
    this.column.set(numbers, row * this.width);
  }
}

/** Row numbers that are handed out again after they were given back. */
export class Rows {
  private readonly free: number[] = [];
  private next: number;

  constructor(first = 0) {
    this.next = first;
  }

  take(): number {
    const row = this.free.pop();
    if (row !== undefined) return row;
    this.next += 1;
    return this.next - 1;
  }

  give(row: number) {
    this.free.push(row);
  }
}

/** Runs of integers in one array; a run that is given back serves the next of the same length. */
export class Runs {
  private readonly column = new IntColumn();
  private readonly free = new Map<number, number[]>();
  private used = 0;

  get cells(): Int32Array {
    return this.column.cells;
  }

  /** The offset of a run of that length, whatever is in it. */
  take(length: number): number {
    const offset = this.free.get(length)?.pop();
    if (offset !== undefined) return offset;
    this.used += length;
    this.column.reserve(this.used);
    return this.used - length;
  }

  /** The offset at which the run now lies. */
  store(run: readonly number[]): number {
    const offset = this.take(run.length);
    this.cells.set(run, offset);
    return offset;
  }

  give(offset: number, length: number) {
    const offsets = this.free.get(length);
    if (offsets === undefined) this.free.set(length, [offset]);
    else offsets.push(offset);
  }
}

/** Lists of integers, all in one array: a million small JavaScript arrays would take 150 MB. */
export class Lists {
  private readonly runs = new Runs();
  private readonly offsets = new IntColumn();
  private readonly lengths = new IntColumn();
  private readonly capacities = new IntColumn();

  lengthOf(list: number): number {
    return this.lengths.get(list);
  }

  /** The cells of all lists, in which those of one begin at {@link offsetOf}. */
  get cells(): Int32Array {
    return this.runs.cells;
  }

  offsetOf(list: number): number {
    return this.offsets.get(list);
  }

  /** Answers the place of the new value, counted from 0. */
  push(list: number, value: number): number {
    const length = this.lengths.get(list);
    if (length === this.capacities.get(list)) this.enlarge(list, length);
    this.runs.cells[this.offsets.get(list) + length] = value;
    this.lengths.set(list, length + 1);
    return length;
  }

  /** Takes out the value at a place; answers the value that moved there, or null when none had to. */
  removeAt(list: number, place: number): number | null {
    const { cells } = this.runs;
    const offset = this.offsets.get(list);
    const last = this.lengths.get(list) - 1;
    this.lengths.set(list, last);
    if (last === 0) this.release(list);
    if (place === last) return null;
    const moved = cells[offset + last] as number;
    cells[offset + place] = moved;
    return moved;
  }

  private enlarge(list: number, length: number) {
    const capacity = Math.max(2, length * 2);
    const from = this.offsets.get(list);
    const offset = this.runs.take(capacity);
    this.runs.cells.copyWithin(offset, from, from + length);
    this.release(list);
    this.offsets.set(list, offset);
    this.capacities.set(list, capacity);
  }

  private release(list: number) {
    const capacity = this.capacities.get(list);
    if (capacity > 0) this.runs.give(this.offsets.get(list), capacity);
    this.capacities.set(list, 0);
  }
}
