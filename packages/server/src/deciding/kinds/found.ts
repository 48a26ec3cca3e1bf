import type { Named } from "../named.js";
import type { SharedFacts } from "../shared-facts.js";

/**
 * Where a kind keeps what it has read among the facts of a batch: as names that locks need, later as rows in full. One row
 * may be asked for by several names.
 */
export class Found<Name, Row extends Name> {
  constructor(
    private readonly kind: string,
    private readonly namesOf: (row: Name) => readonly string[],
  ) {}

  keepName(named: Named, row: Name): void {
    for (const name of this.namesOf(row)) this.in(named).set(name, row);
  }

  keep(shared: SharedFacts, row: Row): void {
    this.keepName(shared, row);
  }

  isEmpty(named: Named): boolean {
    return !named.found.has(this.kind);
  }

  name(named: Named, name: string): Name | undefined {
    return this.in(named).get(name);
  }

  row(shared: SharedFacts, name: string): Row | undefined {
    // What is kept among facts was read in full.
    return this.in(shared).get(name) as Row | undefined;
  }

  private in(named: Named): Map<string, Name> {
    const rows = (named.found.get(this.kind) ?? new Map()) as Map<string, Name>;
    named.found.set(this.kind, rows);
    return rows;
  }
}
