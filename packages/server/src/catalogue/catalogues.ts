import type { Queries } from "../platform/db/database.js";
import type { Metrics } from "../platform/metrics.js";
import type { Catalogue, CatalogueParts } from "./catalogue.js";
import { BeingRead } from "./memory/being-read.js";
import { type CatalogueBudget, type Claim, Claims, defaultBudget } from "./memory/budget.js";
import { KeptCatalogues } from "./memory/kept-catalogues.js";
import { MetLately } from "./memory/met-lately.js";
import { readCatalogue, refreshed } from "./read-catalogue.js";
import { packAnew } from "./repack.js";
import type { ShelfIndex } from "./shelf-index.js";

/** The catalogues of all projects: one for each process, whatever it does. */
export interface Catalogues {
  /** For a decision, or a batch of them: `Catalogue.claimedBy` it, and release it once the answers are made. */
  claim(): Claim;
  /** The project's catalogue, at least as new as the version. Reads what is missing on the given connection. */
  at(db: Queries, project_id: string, version: number): Promise<Catalogue>;
  /**
   * Looks at the project's catalogue, at least as new as the version, together with indexes over it. All are of one
   * version as long as nothing is awaited: take from the indexes what you need, and decide on that catalogue whenever
   * you like. An index is made when it is first asked for.
   */
  look<Indexes extends readonly unknown[], Answer>(
    db: Queries,
    project_id: string,
    version: number,
    indexes: { readonly [I in keyof Indexes]: ShelfIndex<Indexes[I]> },
    look: (catalogue: Catalogue, ...indexes: Indexes) => Answer,
  ): Promise<Answer>;
}

declare module "../platform/context.js" {
  interface Context {
    /** One for the whole process: the API and the worker decide with the same. Said here, since the platform knows none. */
    catalogues: Catalogues;
  }
}

export interface CatalogueOptions {
  budget?: CatalogueBudget;
  /** Told how long requests waited for a catalogue. */
  metrics?: Pick<Metrics, "catalogueRead">;
}

/**
 * Keeps catalogues in memory. Whoever first asks for a newer version reads what changed, on the connection it has; those
 * who ask meanwhile wait for it. Only a first use, or a long gap, reads everything.
 */
export function createCatalogues(parts: CatalogueParts, options: CatalogueOptions = {}): Catalogues {
  const { budget = defaultBudget(), metrics } = options;
  const { kept_bytes_max } = budget;
  const all = new KeptCatalogues(kept_bytes_max);
  const claims = new Claims(budget.decision_bytes_max);
  const being_read = new Map<string, Promise<Catalogue>>();
  const unkept = new BeingRead(all, kept_bytes_max);
  const reading = { ...parts, lately: new MetLately(budget.compiled_bytes_max), grown: unkept.grown };

  async function read(db: Queries, project_id: string, version: number): Promise<Catalogue> {
    const known = all.get(project_id);
    if (!known) return all.add(await readCatalogue(db, project_id, version, reading)).catalogue;
    const { catalogue, edited } = await refreshed(db, known.catalogue, version, reading);
    const swapIndexes = await known.indexes.follow(known.catalogue, catalogue, edited);
    if (edited === null) known.catalogue.forget();
    known.catalogue = catalogue;
    swapIndexes();
    all.makeRoom(known);
    packAnew(known);
    return catalogue;
  }

  async function at(db: Queries, project_id: string, version: number): Promise<Catalogue> {
    for (;;) {
      const known = all.get(project_id);
      if (known && known.catalogue.version >= version) {
        all.use(known);
        return known.catalogue;
      }
      const running = being_read.get(project_id);
      if (running !== undefined) {
        // A failure there is the reader's own; whoever waited tries on a connection of their own.
        await running.catch(() => undefined);
        continue;
      }
      const begun = performance.now();
      const reads = read(db, project_id, version).finally(() => {
        being_read.delete(project_id);
        unkept.done(project_id);
        metrics?.catalogueRead(known === undefined, (performance.now() - begun) / 1000);
      });
      being_read.set(project_id, reads);
      return reads;
    }
  }

  return {
    at,
    claim: () => claims.open(),
    async look(db, project_id, version, definitions, look) {
      for (;;) {
        await at(db, project_id, version);
        const known = all.get(project_id);
        if (!known || known.catalogue.version < version) continue;
        const missing = definitions.find((definition) => known.indexes.get(definition) === undefined);
        if (missing) {
          await known.indexes.make(missing);
          all.makeRoom(known);
        } else return look(known.catalogue, ...(definitions.map((one) => known.indexes.get(one)) as never));
      }
    },
  };
}
