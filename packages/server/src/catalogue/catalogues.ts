import type { Queries } from "../platform/database.js";
import { type Catalogue, sizeOf } from "./catalogue.js";
import { readCatalogue, refreshed } from "./catalogue-read.js";
import { RuleShelf } from "./rule-shelf.js";

export interface Catalogues {
  /** The project's catalogue, at least as new as the version. Reads what is missing on the given connection. */
  at(db: Queries, project_id: string, version: number): Promise<Catalogue>;
}

/** Objects that the catalogues of all projects may hold together; the project longest unused goes first. */
const objects_max = 4_000_000;

/** Compiled rules kept at once, about 100 MB. */
const compiled_rules_max = 50_000;

/**
 * Keeps catalogues in memory. Whoever first asks for a newer version reads what changed, on the connection it has; those
 * who ask meanwhile wait for it. Only a first use, or a long gap, reads everything.
 */
export function createCatalogues(): Catalogues {
  // In the order of last use.
  const kept = new Map<string, Catalogue>();
  const being_read = new Map<string, Promise<Catalogue>>();
  const shelf = new RuleShelf(compiled_rules_max);
  let objects = 0;

  function keep(catalogue: Catalogue): Catalogue {
    const { id } = catalogue.project;
    const latest = drop(id);
    const newest = latest && latest.version > catalogue.version ? latest : catalogue;
    kept.set(id, newest);
    objects += sizeOf(newest);
    for (const [oldest] of kept) {
      if (objects <= objects_max || oldest === id) break;
      drop(oldest);
    }
    return newest;
  }

  function drop(project_id: string): Catalogue | undefined {
    const known = kept.get(project_id);
    if (known) objects -= sizeOf(known);
    kept.delete(project_id);
    return known;
  }

  async function read(db: Queries, project_id: string, version: number): Promise<Catalogue> {
    const known = kept.get(project_id);
    return keep(
      known ? await refreshed(db, known, version, shelf) : await readCatalogue(db, project_id, version, shelf),
    );
  }

  return {
    async at(db, project_id, version) {
      for (;;) {
        const known = kept.get(project_id);
        if (known && known.version >= version) {
          // Taken out and put back, so that the order stays that of last use.
          kept.delete(project_id);
          kept.set(project_id, known);
          return known;
        }
        const running = being_read.get(project_id);
        if (running !== undefined) {
          // A failure there is the reader's own; whoever waited tries on a connection of their own.
          await running.catch(() => undefined);
          continue;
        }
        const reading = read(db, project_id, version).finally(() => being_read.delete(project_id));
        being_read.set(project_id, reading);
        return reading;
      }
    },
  };
}
