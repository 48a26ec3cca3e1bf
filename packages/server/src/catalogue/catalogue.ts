import type { RuleEnvironment, StackingRules } from "@guerdon/engine";
import type { Queries } from "../platform/db/database.js";
import type { Claim } from "./memory/budget.js";
import type { MetLately } from "./memory/met-lately.js";
import type { Shelf } from "./shelf.js";
import type { ShelfView } from "./shelf-view.js";

/** The settings of a project that decisions look at. */
export interface ProjectSettings {
  id: string;
  timezone: string;
  currency: string;
  case_sensitive_codes: boolean;
  stacking_rules: StackingRules;
  metadata_types: MetadataTypes;
}

/** Of what types metadata is said to be. */
interface MetadataTypes {
  /** All that is said, as one text: where it is another, what was compiled before is compiled anew. */
  text: string;
  typeOf: NonNullable<RuleEnvironment["metadata_type"]>;
}

/** What catalogues are made of: the composition file names it, for the API and the worker alike. */
export interface CatalogueParts {
  settings: {
    /** What edits call the settings. */
    kind: string;
    read(db: Queries, project_id: string): Promise<ProjectSettings | undefined>;
  };
  shelves: readonly Shelf<unknown>[];
}

/**
 * What changes slowly, as one version of a project has it (architecture.md §3). Never changed once made: shelves share
 * what an edit leaves alone, so the next version of a hundred thousand campaigns costs no more than what was edited.
 */
export class Catalogue {
  constructor(
    readonly version: number,
    readonly project: ProjectSettings,
    readonly shelves: ReadonlyMap<Shelf<unknown>, ShelfView<unknown>>,
  ) {}

  get stacking_rules(): StackingRules {
    return this.project.stacking_rules;
  }

  shelf<Entry>(shelf: Shelf<Entry>): ShelfView<Entry> {
    const view = this.shelves.get(shelf);
    if (!view) throw new Error(`the catalogue was not made with the shelf '${shelf.kind}'`);
    return view as ShelfView<Entry>;
  }

  /** Memory it takes, what is compiled apart. */
  get bytes(): number {
    let sum = 0;
    for (const view of this.shelves.values()) sum += view.bytes;
    return sum;
  }

  /** The same version with some shelves replaced. */
  with(changed: ReadonlyMap<Shelf<unknown>, ShelfView<unknown>>): Catalogue {
    return new Catalogue(this.version, this.project, new Map([...this.shelves, ...changed]));
  }

  /** The same catalogue, what is compiled kept elsewhere. */
  keptBy(lately: MetLately): Catalogue {
    return this.with(new Map([...this.shelves].map(([shelf, view]) => [shelf, view.keptBy(lately)])));
  }

  /** The same catalogue for one decision, which answers for what it looks at. */
  claimedBy(claim: Claim): Catalogue {
    return this.with(new Map([...this.shelves].map(([shelf, view]) => [shelf, view.claimedBy(claim)])));
  }

  /** Lets go of what is compiled. */
  forget(): void {
    for (const view of this.shelves.values()) view.forget();
  }
}
