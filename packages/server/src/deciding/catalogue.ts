import {
  type CampaignFacts,
  type CategoryFacts,
  type CompiledDiscount,
  type CompiledWindow,
  compileDiscount,
  compileWindow,
  DEFAULT_STACKING_RULES,
  type StackingRules,
} from "@guerdon/engine";
import { type Campaign, findCampaigns, findCampaignsByIds } from "../features/campaigns/index.js";
import { type Category, findCategories } from "../features/categories/index.js";
import { findCatalogueChanges, findProject, type Project } from "../features/projects/index.js";
import { findTiersOfCampaigns, type PromotionTier } from "../features/promotions/index.js";
import type { Queries } from "../platform/database.js";
import { problems } from "../platform/http/problems.js";

/** A campaign as deciding and rendering need it, its window compiled. */
export interface CatalogueCampaign {
  row: Campaign;
  facts: CampaignFacts;
}

export interface CatalogueTier {
  row: PromotionTier;
  campaign: CatalogueCampaign;
  window: CompiledWindow;
  discount: CompiledDiscount;
}

/** What changes slowly, as one version of a project has it (architecture.md §3). Never changed once made. */
export interface Catalogue {
  version: number;
  project: Project;
  stacking_rules: StackingRules;
  categories: ReadonlyMap<string, Category>;
  campaigns: ReadonlyMap<string, CatalogueCampaign>;
  tiers: ReadonlyMap<string, CatalogueTier>;
}

export interface Catalogues {
  /** The project's catalogue, at least as new as the version. Reads what is missing on the given connection. */
  at(db: Queries, project_id: string, version: number): Promise<Catalogue>;
}

/** Projects kept in memory; the one longest unused goes first. */
const projects_max = 1000;

/**
 * Keeps catalogues in memory. A newer version makes just the campaigns that changed be read and compiled again; only
 * a first use, or a change of the project's settings, reads everything.
 */
export function createCatalogues(): Catalogues {
  const kept = new Map<string, Catalogue>();
  return {
    async at(db, project_id, version) {
      const known = kept.get(project_id);
      const catalogue = known && known.version >= version ? known : await newer(db, project_id, version, known);
      // Taken out and put back, so that the order of the map is the order of last use.
      const latest = kept.get(project_id);
      kept.delete(project_id);
      kept.set(project_id, latest && latest.version > catalogue.version ? latest : catalogue);
      const [oldest] = kept.keys();
      if (kept.size > projects_max && oldest !== undefined) kept.delete(oldest);
      return catalogue;
    },
  };
}

async function newer(
  db: Queries,
  project_id: string,
  version: number,
  known: Catalogue | undefined,
): Promise<Catalogue> {
  if (!known) return readAll(db, project_id, version);
  const changes = await findCatalogueChanges(db, project_id, known.version);
  if (changes.some(({ kind }) => kind === "project")) return readAll(db, project_id, version);
  const reached = changes.reduce((highest, change) => Math.max(highest, change.version), version);
  return refreshed(db, known, reached, [...new Set(changes.map(({ id }) => id))]);
}

async function readAll(db: Queries, project_id: string, version: number): Promise<Catalogue> {
  const project = await findProject(db, project_id);
  if (!project) throw problems.notFound("project", project_id);
  const categories = new Map((await findCategories(db, project_id)).map((category) => [category.id, category]));
  const empty: Catalogue = {
    version,
    project,
    stacking_rules: DEFAULT_STACKING_RULES,
    categories,
    campaigns: new Map(),
    tiers: new Map(),
  };
  const campaigns = await findCampaigns(db, project_id);
  const with_tiers = campaigns.filter(({ campaign_type }) => campaign_type === "PROMOTION").map(({ id }) => id);
  const tiers = with_tiers.length === 0 ? [] : await findTiersOfCampaigns(db, project_id, with_tiers);
  return withCampaigns(empty, campaigns, tiers);
}

async function refreshed(
  db: Queries,
  known: Catalogue,
  version: number,
  campaign_ids: readonly string[],
): Promise<Catalogue> {
  const project_id = known.project.id;
  const changed = new Set(campaign_ids);
  const unchanged: Catalogue = {
    ...known,
    version,
    campaigns: new Map([...known.campaigns].filter(([id]) => !changed.has(id))),
    tiers: new Map([...known.tiers].filter(([, tier]) => !changed.has(tier.row.campaign_id))),
  };
  if (campaign_ids.length === 0) return unchanged;
  const campaigns = await findCampaignsByIds(db, project_id, campaign_ids);
  return withCampaigns(unchanged, campaigns, await findTiersOfCampaigns(db, project_id, campaign_ids));
}

function withCampaigns(
  catalogue: Catalogue,
  rows: readonly Campaign[],
  tier_rows: readonly PromotionTier[],
): Catalogue {
  const { timezone } = catalogue.project;
  const campaigns = new Map(catalogue.campaigns);
  for (const row of rows) {
    const facts = {
      id: row.id,
      active: row.active,
      window: compileWindow(row, timezone),
      category: categoryFacts(catalogue, row.category_id),
    };
    campaigns.set(row.id, { row, facts });
  }
  const tiers = new Map(catalogue.tiers);
  for (const row of tier_rows) {
    const campaign = campaigns.get(row.campaign_id);
    if (!campaign) continue;
    tiers.set(row.id, { row, campaign, window: compileWindow(row, timezone), discount: compileDiscount(row.discount) });
  }
  return { ...catalogue, campaigns, tiers };
}

/** The category of a campaign, tier or voucher; a deleted one counts for nothing. */
export function categoryFacts({ categories }: Catalogue, id: string | null): CategoryFacts | null {
  return (id === null ? undefined : categories.get(id)) ?? null;
}
