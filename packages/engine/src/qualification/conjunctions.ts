import { AtomTable, EVERYWHERE } from "./atom-table.js";
import { type Cell, coverOf } from "./cells.js";
import { IntColumn, Rows, Runs } from "./columns.js";
import type { CartFacts } from "./facts.js";
import { type Atom, type Conjunction, DIMENSIONS } from "./predicates.js";

const BOUNDS = DIMENSIONS.length * 2;

/**
 * Conjunctions, each posted under the atoms of one of its clauses: the one through which the fewest carts
 * and neighbours lead to it. A cart walks the lists of its own atoms and checks what it meets: bounds
 * first, then the other clauses. Counting how many clauses of each conjunction are met (Whang et al., 2009)
 * needs every list of the cart, also that of a segment half the customers are in; measured on a hundred
 * thousand promotions it took four times as long.
 */
export class Conjunctions {
  private readonly atoms = new AtomTable();
  private readonly rows = new Rows();
  private readonly runs = new Runs();
  /** Where the clauses of a conjunction lie: see {@link runOf}. */
  private readonly offsets = new IntColumn();
  private readonly promotions = new IntColumn();
  // One conjunction is one cache line; in columns of their own four bounds cost four misses.
  private bounds = new Float64Array(64 * BOUNDS);

  /** Adds a conjunction of a promotion and answers its row. */
  add(promotion: number, conjunction: Conjunction): number {
    const row = this.rows.take();
    this.promotions.set(row, promotion);
    this.storeBounds(row, conjunction.bounds);
    const clauses = conjunction.clauses.map((clause) => this.numbersOf(clause));
    const { access, others } = this.chooseAccess(conjunction, clauses);
    const places = access.map((atom) => (this.atoms.postings[atom] as number[]).push(row) - 1);
    this.offsets.set(row, this.runs.store(runOf(access, places, others)));
    return row;
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

  remove(row: number) {
    const offset = this.offsets.get(row);
    const { cells } = this.runs;
    const accesses = cells[offset] as number;
    for (let i = 0; i < accesses; i += 1) {
      const at = offset + 1 + i * 2;
      this.withdraw(cells[at] as number, cells[at + 1] as number);
    }
    let at = offset + 1 + accesses * 2;
    for (let i = 0; i < accesses; i += 1) this.atoms.release(cells[offset + 1 + i * 2] as number);
    const clauses = cells[at] as number;
    at += 1;
    for (let clause = 0; clause < clauses; clause += 1) {
      const end = at + 1 + (cells[at] as number);
      for (at += 1; at < end; at += 1) this.atoms.release(cells[at] as number);
    }
    this.runs.release(offset, at - offset);
    this.rows.give(row);
  }

  /** Calls back with the promotion of each conjunction that is true of the cart; with some more than once. */
  visit(facts: CartFacts, found: (promotion: number) => void) {
    const marked = this.atoms.mark(facts);
    const { stamps, query } = this.atoms.marks();
    const { cells } = this.runs;
    for (const atom of marked) {
      for (const row of this.atoms.postings[atom] as number[]) {
        if (!this.isWithin(row, facts.numbers)) continue;
        if (isSatisfied(cells, this.offsets.get(row), stamps, query)) found(this.promotions.get(row));
      }
    }
  }

  private isWithin(row: number, numbers: readonly number[]): boolean {
    const { bounds } = this;
    let at = row * BOUNDS;
    for (const number of numbers) {
      if (number < (bounds[at] as number) || number > (bounds[at + 1] as number)) return false;
      at += 2;
    }
    return true;
  }

  /** The clause whose lists are shortest by now, or the cells of a range, or the list of what is everywhere. */
  private chooseAccess({ bounds }: Conjunction, clauses: number[][]): { access: number[]; others: number[][] } {
    const lengthOf = (clause: number[]) =>
      clause.reduce((sum, atom) => sum + (this.atoms.postings[atom] as number[]).length + 1, 0);
    let shortest = clauses.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...clauses.map(lengthOf));
    let chosen: { dimension: number; cells: readonly Cell[] } | null = null;
    DIMENSIONS.forEach((_name, dimension) => {
      const cells = coverOf(bounds[dimension * 2] as number, bounds[dimension * 2 + 1] as number);
      const length = cells === null ? Number.POSITIVE_INFINITY : this.atoms.lengthOfCells(dimension, cells);
      if (cells === null || length >= shortest) return;
      shortest = length;
      chosen = { dimension, cells };
    });
    if (chosen !== null) {
      const { dimension, cells } = chosen as { dimension: number; cells: readonly Cell[] };
      return { access: cells.map((cell) => this.atoms.ofCell(dimension, cell)), others: clauses };
    }
    const access = clauses.find((clause) => lengthOf(clause) === shortest);
    return { access: access ?? [EVERYWHERE], others: clauses.filter((clause) => clause !== access) };
  }

  // The last conjunction of the list takes the place of the one that leaves.
  private withdraw(atom: number, place: number) {
    const postings = this.atoms.postings[atom] as number[];
    const last = postings.pop() as number;
    if (place === postings.length) return;
    postings[place] = last;
    const { cells } = this.runs;
    let at = this.offsets.get(last) + 1;
    while (cells[at] !== atom) at += 2;
    cells[at + 1] = place;
  }

  private storeBounds(row: number, bounds: readonly number[]) {
    if ((row + 1) * BOUNDS > this.bounds.length) {
      const grown = new Float64Array(this.bounds.length * 2);
      grown.set(this.bounds);
      this.bounds = grown;
    }
    this.bounds.set(bounds, row * BOUNDS);
  }
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
