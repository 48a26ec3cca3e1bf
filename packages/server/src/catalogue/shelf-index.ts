import type { Catalogue } from "./catalogue.js";
import type { Shelf } from "./shelf.js";

/** How an index is made from a shelf, and kept beside it. */
export interface ShelfIndexParts<Entry, Prepared, Index> {
  over: Shelf<Entry>;
  create(): Index;
  /** What the index is told of an entry; null: it does not stand in the index as things are. May take long. */
  prepare(entry: Entry, catalogue: Catalogue): Prepared | null;
  /** Puts what was prepared in place of what the index knew; some microseconds. */
  put(index: Index, id: string, prepared: Prepared): void;
  remove(index: Index, id: string): void;
  /** Ids of what else {@link prepare} looks at for the entry, on whatever shelf: when one is edited, it is put again. */
  dependsOn?(entry: Entry, catalogue: Catalogue): readonly string[];
  /** What an entry takes in memory, about. */
  entry_bytes: number;
}

/** An index that belongs to the catalogue: always that of the very version it is looked at with. */
export interface ShelfIndex<Index> {
  open(): OpenIndex<Index>;
}

/** The one index of a project, as it follows the project's catalogue. */
export interface OpenIndex<Index> {
  readonly index: Index;
  bytesOf(catalogue: Catalogue): number;
  /** Everything that belongs into the index. */
  ids(catalogue: Catalogue): Iterable<string>;
  /** What must be put again because of edits: the entries themselves, and those that depend on what was edited. */
  touchedBy(edited: Iterable<string>, before: Catalogue, after: Catalogue): Set<string>;
  /** Does all but the putting; `before` is the version that the index was told of, null for none. */
  prepare(id: string, before: Catalogue | null, after: Catalogue): () => void;
}

export const shelfIndex = <Entry, Prepared, Index>(
  parts: ShelfIndexParts<Entry, Prepared, Index>,
): ShelfIndex<Index> => ({ open: () => opened(parts) });

function opened<Entry, Prepared, Index>(parts: ShelfIndexParts<Entry, Prepared, Index>): OpenIndex<Index> {
  const { over, entry_bytes } = parts;
  const index = parts.create();
  const dependents = new Dependents();
  const dependenciesOf = (id: string, catalogue: Catalogue | null): readonly string[] => {
    const entry = catalogue?.shelf(over).get(id);
    return catalogue && entry !== undefined ? (parts.dependsOn?.(entry, catalogue) ?? []) : [];
  };
  return {
    index,
    bytesOf: (catalogue) => catalogue.shelf(over).size * entry_bytes,
    *ids(catalogue) {
      for (const { id } of catalogue.shelf(over).rows()) yield id;
    },
    touchedBy(edited, before, after) {
      const touched = new Set<string>();
      for (const id of edited) {
        if (before.shelf(over).has(id) || after.shelf(over).has(id)) touched.add(id);
        for (const dependent of dependents.of(id)) touched.add(dependent);
      }
      return touched;
    },
    prepare(id, before, after) {
      const entry = after.shelf(over).get(id);
      const prepared = entry === undefined ? null : parts.prepare(entry, after);
      const [left, come] = [dependenciesOf(id, before), dependenciesOf(id, after)];
      return () => {
        for (const name of left) dependents.remove(name, id);
        for (const name of come) dependents.add(name, id);
        if (prepared === null) parts.remove(index, id);
        else parts.put(index, id, prepared);
      };
    },
  };
}

/** Who looks at what. Most are looked at by one alone, so that a set for each would take most of the memory. */
class Dependents {
  private readonly by_name = new Map<string, string | Set<string>>();

  of(name: string): Iterable<string> {
    const found = this.by_name.get(name);
    return typeof found === "string" ? [found] : (found ?? []);
  }

  add(name: string, id: string): void {
    const found = this.by_name.get(name);
    if (found === undefined || found === id) this.by_name.set(name, id);
    else if (typeof found === "string") this.by_name.set(name, new Set([found, id]));
    else found.add(id);
  }

  remove(name: string, id: string): void {
    const found = this.by_name.get(name);
    if (found === id) this.by_name.delete(name);
    else if (typeof found === "object" && found.delete(id) && found.size === 0) this.by_name.delete(name);
  }
}
