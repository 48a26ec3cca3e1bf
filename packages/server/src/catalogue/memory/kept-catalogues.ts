import type { Catalogue } from "../catalogue.js";
import { KeptIndexes } from "../kept-indexes.js";
import { catalogueTooLarge } from "./budget.js";

/** What is kept of one project. */
export interface Kept {
  catalogue: Catalogue;
  readonly indexes: KeptIndexes;
}

/** The catalogues that memory has room for, over all projects; the one longest unused goes first. */
export class KeptCatalogues {
  // In the order of last use.
  private readonly all = new Map<string, Kept>();

  constructor(private readonly bytes_max: number) {}

  get(project_id: string): Kept | undefined {
    return this.all.get(project_id);
  }

  add(catalogue: Catalogue): Kept {
    const kept: Kept = { catalogue, indexes: new KeptIndexes(() => kept.catalogue) };
    this.all.set(catalogue.project.id, kept);
    this.makeRoom(kept);
    return kept;
  }

  use(kept: Kept): void {
    const { id } = kept.catalogue.project;
    // Taken out and put back, so that the order stays that of last use.
    if (this.all.get(id) !== kept) return;
    this.all.delete(id);
    this.all.set(id, kept);
  }

  /** To be told of what has grown. @throws a 503 of the project's own when it has no room even alone */
  makeRoom(used: Kept): void {
    this.use(used);
    const alone = bytesOf(used);
    if (alone > this.bytes_max) {
      this.drop(used);
      throw catalogueTooLarge(this.bytes_max);
    }
    this.shrinkTo(this.bytes_max, used);
  }

  /** Makes room for what is being read; the least used go first. */
  shrinkTo(bytes_max: number, used?: Kept): void {
    let bytes = 0;
    for (const kept of this.all.values()) bytes += bytesOf(kept);
    for (const kept of this.all.values()) {
      if (bytes <= bytes_max || kept === used) return;
      bytes -= bytesOf(kept);
      this.drop(kept);
    }
  }

  private drop(kept: Kept): void {
    kept.catalogue.forget();
    this.all.delete(kept.catalogue.project.id);
  }
}

const bytesOf = ({ catalogue, indexes }: Kept) => catalogue.bytes + indexes.bytes;
