import { AtomTable, EVERYWHERE } from "./atom-table.js";
import { type Cell, coverOf } from "./cells.js";
import { IntColumn, NumberRows, Rows, Runs } from "./columns.js";
import type { CartFacts } from "./facts.js";
import { type Atom, type Conjunction, DIMENSIONS } from "./predicates.js";

const BOUNDS = DIMENSIONS.length * 2;

/**
 * Conjunctions, each posted under the atoms of one of its clauses: the one that burdens carts least when it
 * comes. A cart walks the lists of its own atoms and checks what it meets: bounds first, then the other
 * clauses. Counting how many clauses of each conjunction are met (Whang et al., 2009) needs every list of
 * the cart, also that of a segment which half the promotions ask for; measured on the same mix it took
 * 0.18 ms against 0.10 ms at 1e5 promotions and 8.8 ms against 0.9 ms at 1e6.
 */
export class Conjunctions {
  private readonly atoms = new AtomTable();
  private readonly rows = new Rows();
  private readonly runs = new Runs();
  /** Where the clauses of a conjunction lie: see {@link runOf}. */
  private readonly offsets = new IntColumn();
  private readonly promotions = new IntColumn();
  // All bounds of a conjunction share a cache line; in columns of their own they cost a miss each.
  private readonly bounds = new NumberRows(BOUNDS);

  /** Adds a conjunction of a promotion and answers its row. */
  add(promotion: number, conjunction: Conjunction): number {
    const row = this.rows.take();
    this.promotions.set(row, promotion);
    this.bounds.set(row, conjunction.bounds);
    const clauses = conjunction.clauses.map((clause) => this.numbersOf(clause));
    const { access, others } = this.chooseAccess(conjunction, clauses);
    const places = access.map((atom) => this.atoms.postings.push(atom, row));
    this.offsets.set(row, this.runs.store(runOf(access, places, others)));
    return row;
  }

  remove(row: number) {
    const offset = this.offsets.get(row);
    const { cells } = this.runs;
    let at = offset + 1;
    for (const end = at + (cells[offset] as number) * 2; at < end; at += 2) {
      this.withdraw(cells[at] as number, cells[at + 1] as number);
      this.atoms.release(cells[at] as number);
    }
    let clauses = cells[at] as number;
    for (at += 1; clauses > 0; clauses -= 1) {
      const end = at + 1 + (cells[at] as number);
      for (at += 1; at < end; at += 1) this.atoms.release(cells[at] as number);
    }
    this.runs.give(offset, at - offset);
    this.rows.give(row);
  }

  /** Calls back with the promotion of each conjunction that is true of the cart; with some more than once. */
  visit(facts: CartFacts, found: (promotion: number) => void) {
    const { postings } = this.atoms;
    const marked = this.atoms.mark(facts);
    const { stamps, query } = this.atoms.marks();
    const { cells } = this.runs;
    const bounds = this.bounds.cells;
    const lists = postings.cells;
    for (const atom of marked) {
      const offset = postings.offsetOf(atom);
      const end = offset + postings.lengthOf(atom);
      for (let i = offset; i < end; i += 1) {
        const row = lists[i] as number;
        if (!isWithin(bounds, row * BOUNDS, facts.numbers)) continue;
        if (isSatisfied(cells, this.offsets.get(row), stamps, query)) found(this.promotions.get(row));
      }
    }
  }

  /** Each atom once: a list holds a conjunction in one place. */
  private numbersOf(clause: readonly Atom[]): number[] {
    const numbers = new Set<number>();
    for (const atom of clause) {
      const number = this.atoms.named(atom);
      if (numbers.has(number)) this.atoms.release(number);
      numbers.add(number);
    }
    return [...numbers];
  }

  /** The clause or the range that burdens carts least by now; without any, the list of what is everywhere. */
  private chooseAccess({ bounds }: Conjunction, clauses: number[][]): { access: number[]; others: number[][] } {
    let least = Number.POSITIVE_INFINITY;
    let access = [EVERYWHERE];
    for (const clause of clauses) {
      const burden = this.atoms.burdenOf(clause);
      if (burden < least) [least, access] = [burden, clause];
    }
    let range: { dimension: number; cells: readonly Cell[] } | null = null;
    for (let dimension = 0; dimension < DIMENSIONS.length; dimension += 1) {
      const cells = coverOf(bounds[dimension * 2] as number, bounds[dimension * 2 + 1] as number);
      if (cells === null) continue;
      const burden = this.atoms.burdenOfCells(dimension, cells);
      if (burden < least) [least, range] = [burden, { dimension, cells }];
    }
    if (range === null) return { access, others: clauses.filter((clause) => clause !== access) };
    const { dimension, cells } = range;
    return { access: cells.map((cell) => this.atoms.ofCell(dimension, cell)), others: clauses };
  }

  // The last conjunction of the list takes the place of the one that leaves.
  private withdraw(atom: number, place: number) {
    const moved = this.atoms.postings.removeAt(atom, place);
    if (moved === null) return;
    const { cells } = this.runs;
    let at = this.offsets.get(moved) + 1;
    while (cells[at] !== atom) at += 2;
    cells[at + 1] = place;
  }
}

function isWithin(bounds: Float64Array, from: number, numbers: readonly number[]): boolean {
  let at = from;
  for (const number of numbers) {
    if (number < (bounds[at] as number) || number > (bounds[at + 1] as number)) return false;
    at += 2;
  }
  return true;
}

/**
 * A conjunction as one run of integers: the number of lists it stands in, of each the atom and the place
 * in it; the number of other clauses, of each its length and its atoms.
 */
function runOf(access: readonly number[], places: readonly number[], others: readonly (readonly number[])[]): number[] {
  const lists = access.flatMap((atom, i) => [atom, places[i] as number]);
  return [access.length, ...lists, others.length, ...others.flatMap((clause) => [clause.length, ...clause])];
}

function isSatisfied(cells: Int32Array, offset: number, stamps: Int32Array, query: number): boolean {
  let at = offset + 1 + (cells[offset] as number) * 2;
  let clauses = cells[at] as number;
  at += 1;
  while (clauses > 0) {
    const end = at + 1 + (cells[at] as number);
    let met = false;
    for (let i = at + 1; i < end && !met; i += 1) met = stamps[cells[i] as number] === query;
    if (!met) return false;
    at = end;
    clauses -= 1;
  }
  return true;
}
