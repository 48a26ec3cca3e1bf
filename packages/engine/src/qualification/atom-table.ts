import { type Cell, CellTable } from "./cells.js";
import { IntColumn, Lists, Rows } from "./columns.js";
import type { CartFacts } from "./facts.js";
import { type Atom, DIMENSIONS } from "./predicates.js";

/** The atom that every cart has. */
export const EVERYWHERE = 0;

interface Family {
  readonly name: string;
  readonly members: Map<string, number>;
}

interface CellHome {
  readonly cell: Cell;
  readonly table: CellTable;
}

/** A guess. */
const VALUES_PER_CART = 8;

const INSTANT = DIMENSIONS.indexOf("instant");

const QUERIES_MAX = 0x7fff_ffff;

/** Atoms as numbers, each with the conjunctions found through it; kept while some conjunction uses it. */
export class AtomTable {
  /** Conjunctions by atom. */
  readonly postings = new Lists();
  private readonly families = new Map<string, Family>();
  private readonly cells = DIMENSIONS.map(() => new CellTable());
  /** Where an atom is named, to be forgotten there. */
  private readonly homes: (Family | CellHome | null)[] = [null];
  private readonly values: (string | null)[] = [null];
  private readonly uses = new IntColumn();
  private readonly stamps = new IntColumn();
  private readonly rows = new Rows(1);
  private query = 0;

  /** The number of an atom, made when it is new. Each call is one more use. */
  named({ family: name, value }: Atom): number {
    let family = this.families.get(name);
    if (family === undefined) {
      family = { name, members: new Map() };
      this.families.set(name, family);
    }
    const known = family.members.get(value);
    if (known !== undefined) return this.used(known);
    const atom = this.create(family, value);
    family.members.set(value, atom);
    return atom;
  }

  /** The number of the atom that stands for a cell of a dimension. Each call is one more use. */
  ofCell(dimension: number, cell: Cell): number {
    const table = this.cells[dimension] as CellTable;
    const known = table.get(cell);
    if (known !== undefined) return this.used(known);
    const atom = this.create({ cell, table }, null);
    table.set(cell, atom);
    return atom;
  }

  /**
   * How many conjunctions a cart is likely to meet on account of the atoms: the lengths of their lists,
   * each by the chance that a cart has the atom. Of many products a cart holds few.
   */
  burdenOf(atoms: readonly number[]): number {
    return atoms.reduce((sum, atom) => {
      const home = this.homes[atom];
      const members = home && "members" in home ? home.members.size : 1;
      return sum + (this.postings.lengthOf(atom) + 1) * Math.min(1, VALUES_PER_CART / members);
    }, 0);
  }

  /** The same for cells. Every cart has an instant within most windows, but only some have the amount. */
  burdenOfCells(dimension: number, cells: readonly Cell[]): number {
    const table = this.cells[dimension] as CellTable;
    const chance = dimension === INSTANT ? 1 : 0.25;
    return cells.reduce((sum, cell) => {
      const atom = table.get(cell);
      return sum + (1 + (atom === undefined ? 0 : this.postings.lengthOf(atom))) * chance;
    }, 0);
  }

  /** One use less; an atom without uses is forgotten. */
  release(atom: number) {
    if (atom === EVERYWHERE) return;
    const left = this.uses.get(atom) - 1;
    this.uses.set(atom, left);
    const home = this.homes[atom];
    if (left > 0 || !home) return;
    if ("table" in home) home.table.set(home.cell, undefined);
    else {
      home.members.delete(this.values[atom] ?? "");
      if (home.members.size === 0) this.families.delete(home.name);
    }
    this.homes[atom] = null;
    this.values[atom] = null;
    this.rows.give(atom);
  }

  /** Marks the atoms a cart has and answers them, each once. */
  mark(facts: CartFacts): number[] {
    if (this.query === QUERIES_MAX) this.stamps.clear();
    this.query = (this.query % QUERIES_MAX) + 1;
    const marked: number[] = [];
    const mark = (atom: number) => {
      if (this.stamps.get(atom) === this.query) return;
      this.stamps.set(atom, this.query);
      marked.push(atom);
    };
    mark(EVERYWHERE);
    for (const { name, members } of this.families.values()) {
      for (const value of facts.values(name)) {
        const atom = members.get(value);
        if (atom !== undefined) mark(atom);
      }
    }
    this.cells.forEach((table, dimension) => {
      table.visit(facts.numbers[dimension] as number, mark);
    });
    return marked;
  }

  /** For looking marks up directly: the stamp of each atom, and the stamp that means marked. */
  marks(): { stamps: Int32Array; query: number } {
    return { stamps: this.stamps.cells, query: this.query };
  }

  private create(home: Family | CellHome, value: string | null): number {
    const atom = this.rows.take();
    this.homes[atom] = home;
    this.values[atom] = value;
    this.stamps.set(atom, 0);
    this.uses.set(atom, 0);
    return this.used(atom);
  }

  private used(atom: number): number {
    this.uses.set(atom, this.uses.get(atom) + 1);
    return atom;
  }
}
