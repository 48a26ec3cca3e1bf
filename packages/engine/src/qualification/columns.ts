/** A column of 32-bit integers that grows; what was never written is 0. */
export class IntColumn {
  private cells = new Int32Array(64);

  get(row: number): number {
    return this.cells[row] as number;
  }

  set(row: number, value: number) {
    if (row >= this.cells.length) this.reserve(row + 1);
    this.cells[row] = value;
  }

  clear() {
    this.cells.fill(0);
  }

  /** Makes room, so that the cells can be written directly. */
  reserve(rows: number): Int32Array {
    if (rows > this.cells.length) {
      const grown = new Int32Array(Math.max(rows, this.cells.length * 2));
      grown.set(this.cells);
      this.cells = grown;
    }
    return this.cells;
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
    return this.column.reserve(0);
  }

  /** The offset at which the run now lies. */
  store(run: readonly number[]): number {
    let offset = this.free.get(run.length)?.pop();
    if (offset === undefined) {
      offset = this.used;
      this.used += run.length;
    }
    this.column.reserve(this.used).set(run, offset);
    return offset;
  }

  release(offset: number, length: number) {
    const offsets = this.free.get(length);
    if (offsets === undefined) this.free.set(length, [offset]);
    else offsets.push(offset);
  }
}
