import { type Cell, CellTable } from "./cells.js";
import { IntColumn, Rows } from "./columns.js";
import type { CartFacts } from "./facts.js";
import { type Atom, DIMENSIONS } from "./predicates.js";

/** The atom that every cart has. */
export const EVERYWHERE = 0;

interface Family {
  readonly name: string;
  readonly members: Map<string, number>;
}

interface Home {
  readonly family: Family | null;
  readonly value: string;
  readonly cell: Cell | null;
  readonly dimension: number;
}

/** Atoms as numbers, each with the conjunctions found through it; kept while some conjunction uses it. */
export class AtomTable {
  /** Conjunctions by atom. */
  readonly postings: number[][] = [[]];
  private readonly families = new Map<string, Family>();
  private readonly cells = DIMENSIONS.map(() => new CellTable());
  private readonly homes: (Home | null)[] = [null];
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
    const atom = this.create({ family, value, cell: null, dimension: 0 });
    family.members.set(value, atom);
    return atom;
  }

  ofCell(dimension: number, cell: Cell): number {
    const table = this.cells[dimension] as CellTable;
    const known = table.get(cell);
    if (known !== undefined) return this.used(known);
    const atom = this.create({ family: null, value: "", cell, dimension });
    table.set(cell, atom);
    return atom;
  }

  /** How many conjunctions a cart has to look at that has one of the cells. */
  lengthOfCells(dimension: number, cells: readonly Cell[]): number {
    const table = this.cells[dimension] as CellTable;
    return cells.reduce((sum, cell) => sum + (this.postings[table.get(cell) ?? -1]?.length ?? 0) + 1, 0);
  }

  /** One use less; an atom without uses is forgotten. */
  release(atom: number) {
    if (atom === EVERYWHERE) return;
    const left = this.uses.get(atom) - 1;
    this.uses.set(atom, left);
    if (left > 0) return;
    const { family, value, cell, dimension } = this.homes[atom] as Home;
    family?.members.delete(value);
    if (family?.members.size === 0) this.families.delete(family.name);
    if (cell !== null) this.cells[dimension]?.set(cell, undefined);
    this.homes[atom] = null;
    this.rows.give(atom);
  }

  /** Marks the atoms a cart has and answers them, each once. */
  mark(facts: CartFacts): number[] {
    this.query = this.nextQuery();
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

  /** For looking up marks directly: the stamp of each atom, and the stamp that means marked. */
  marks(): { stamps: Int32Array; query: number } {
    return { stamps: this.stamps.reserve(this.postings.length), query: this.query };
  }

  private nextQuery(): number {
    if (this.query < 0x7fff_ffff) return this.query + 1;
    this.stamps.clear();
    return 1;
  }

  private create(home: Home): number {
    const atom = this.rows.take();
    this.homes[atom] = home;
    this.postings[atom] = [];
    this.stamps.set(atom, 0);
    this.uses.set(atom, 0);
    return this.used(atom);
  }

  private used(atom: number): number {
    this.uses.set(atom, this.uses.get(atom) + 1);
    return atom;
  }
}
