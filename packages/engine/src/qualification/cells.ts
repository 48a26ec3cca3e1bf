/**
 * Names for stretches of the number line, so that a range becomes a few atoms and a number knows in which
 * stretches it lies. `[low, high]` is covered by at most two equal cells of the finest level that does
 * so; an open range by the cells up to the next power of two and one tail beyond it. A cover may reach a
 * little further than the range: the bounds are compared exactly afterwards.
 */
export type Cell =
  | { readonly kind: "cell"; readonly level: number; readonly place: number }
  | { readonly kind: "tail" | "head"; readonly level: number };

// Four cells fit closer but are twice the lists; measured, the bounds throw out what two let in too much.
const CELLS_MAX = 2;
const LEVEL_MAX = 60;

/** The cells of a range; null when it is open on both sides, zero counting as no bound. */
export function coverOf(low: number, high: number): Cell[] | null {
  if (high === Number.POSITIVE_INFINITY) {
    if (low <= 0) return null;
    const level = levelAbove(low);
    return [...equalCells(low, 2 ** level - 1), { kind: "tail", level }];
  }
  if (low > 0) return equalCells(low, high);
  const level = levelAbove(high) - 1;
  return level < 0 ? [{ kind: "head", level: 0 }] : [{ kind: "head", level }, ...equalCells(2 ** level, high)];
}

/** The lowest power of two above a number. */
const levelAbove = (value: number) => Math.max(0, Math.floor(Math.log2(Math.max(value, 0.5))) + 1);

const placeOf = (value: number, level: number) => Math.floor(value / 2 ** level);

function equalCells(low: number, high: number): Cell[] {
  let level = 0;
  while (level < LEVEL_MAX && placeOf(high, level) - placeOf(low, level) >= CELLS_MAX) level += 1;
  const cells: Cell[] = [];
  for (let place = placeOf(low, level); place <= placeOf(high, level); place += 1)
    cells.push({ kind: "cell", level, place });
  return cells;
}

/** Keeps an atom for every cell in use and finds those a number lies in. */
export class CellTable {
  private readonly cells: (Map<number, number> | undefined)[] = [];
  private readonly tails: (number | undefined)[] = [];
  private readonly heads: (number | undefined)[] = [];

  get(cell: Cell): number | undefined {
    if (cell.kind === "cell") return this.cells[cell.level]?.get(cell.place);
    return (cell.kind === "tail" ? this.tails : this.heads)[cell.level];
  }

  set(cell: Cell, atom: number | undefined) {
    if (cell.kind !== "cell") {
      (cell.kind === "tail" ? this.tails : this.heads)[cell.level] = atom;
      return;
    }
    const places = this.cells[cell.level] ?? new Map<number, number>();
    this.cells[cell.level] = places;
    if (atom === undefined) places.delete(cell.place);
    else places.set(cell.place, atom);
  }

  /** Calls back with the atom of each cell that holds the number. */
  visit(value: number, found: (atom: number) => void) {
    for (let level = 0; level < this.cells.length; level += 1) {
      const atom = this.cells[level]?.get(placeOf(value, level));
      if (atom !== undefined) found(atom);
    }
    for (let level = 0; level < this.tails.length; level += 1) {
      const atom = this.tails[level];
      if (atom !== undefined && value >= 2 ** level) found(atom);
    }
    for (let level = 0; level < this.heads.length; level += 1) {
      const atom = this.heads[level];
      if (atom !== undefined && value < 2 ** level) found(atom);
    }
  }
}
