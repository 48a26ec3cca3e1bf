import {
  type CampaignFacts,
  type CategoryFacts,
  type CompiledDiscount,
  type CompiledWindow,
  compileDiscount,
  compileWindow,
  type ProductCollection,
  type StackingRules,
} from "@guerdon/engine";
import type { Map as PersistentMap } from "immutable";
import type { Campaign } from "../features/campaigns/index.js";
import type { Category } from "../features/categories/index.js";
import type { Project } from "../features/projects/index.js";
import type { PromotionTier } from "../features/promotions/index.js";
import type { CustomerSegment } from "./customer-segment.js";
import type { ShelvedRule } from "./rule-shelf.js";

/**
 * What changes slowly, as one version of a project has it (architecture.md §3). Never changed once made: the maps share
 * what an edit leaves alone, so the next version of a hundred thousand campaigns costs no more than what was edited.
 */
export interface Catalogue {
  readonly version: number;
  readonly project: Project;
  readonly stacking_rules: StackingRules;
  readonly categories: ReadonlyMap<string, Category>;
  readonly campaigns: PersistentMap<string, CatalogueCampaign>;
  readonly tiers: PersistentMap<string, CatalogueTier>;
  readonly rules: PersistentMap<string, ShelvedRule>;
  readonly collections: PersistentMap<string, ProductCollection>;
  readonly segments: PersistentMap<string, CustomerSegment>;
}

/** How many objects a catalogue holds, for the memory that projects share. */
export const sizeOf = ({ campaigns, tiers, rules, collections, segments }: Catalogue): number =>
  1 + campaigns.size + tiers.size + rules.size + collections.size + segments.size;

/** A campaign as deciding and rendering need it. What is compiled is compiled when it is first met. */
export class CatalogueCampaign {
  private compiled_window: CompiledWindow | undefined;

  constructor(
    readonly row: Campaign,
    readonly rule_ids: readonly string[],
    readonly tier_ids: readonly string[],
    private readonly time_zone: string,
  ) {}

  get window(): CompiledWindow {
    this.compiled_window ??= compileWindow(this.row, this.time_zone);
    return this.compiled_window;
  }
}

export class CatalogueTier {
  private compiled: { window: CompiledWindow; discount: CompiledDiscount } | undefined;

  constructor(
    readonly row: PromotionTier,
    readonly rule_ids: readonly string[],
    private readonly time_zone: string,
  ) {}

  get window(): CompiledWindow {
    return this.parts().window;
  }

  get discount(): CompiledDiscount {
    return this.parts().discount;
  }

  private parts() {
    this.compiled ??= { window: compileWindow(this.row, this.time_zone), discount: compileDiscount(this.row.discount) };
    return this.compiled;
  }
}

/** The campaign with its category, as the engine asks for it. */
export const campaignFacts = (catalogue: Catalogue, { row, window }: CatalogueCampaign): CampaignFacts => ({
  id: row.id,
  active: row.active,
  window,
  category: categoryFacts(catalogue, row.category_id),
});

/** The category of a campaign, tier or voucher; a deleted one counts for nothing. */
export function categoryFacts({ categories }: Catalogue, id: string | null): CategoryFacts | null {
  return (id === null ? undefined : categories.get(id)) ?? null;
}
