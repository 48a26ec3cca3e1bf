import {
  type CampaignFacts,
  type CategoryFacts,
  type CompiledDiscount,
  type CompiledRule,
  type CompiledWindow,
  compileDiscount,
  compileRule,
  compileWindow,
  DEFAULT_STACKING_RULES,
  type StackingRules,
} from "@guerdon/engine";
import { type Campaign, findCampaigns, findCampaignsByIds } from "../features/campaigns/index.js";
import { type Category, findCategories } from "../features/categories/index.js";
import { findCatalogueChanges, findProject, type Project } from "../features/projects/index.js";
import { findTiers, findTiersOfCampaigns, type PromotionTier } from "../features/promotions/index.js";
import {
  type Assignment,
  findAssignmentsOfType,
  findAssignmentsTo,
  findRules,
  findRulesByIds,
  type ValidationRuleRow,
} from "../features/validation-rules/index.js";
import type { Queries } from "../platform/database.js";
import { problems } from "../platform/http/problems.js";

/** A campaign as deciding and rendering need it, its window compiled. */
export interface CatalogueCampaign {
  row: Campaign;
  rule_ids: readonly string[];
  facts: CampaignFacts;
}

export interface CatalogueTier {
  row: PromotionTier;
  rule_ids: readonly string[];
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
  rules: ReadonlyMap<string, CompiledRule>;
}

export interface Catalogues {
  /** The project's catalogue, at least as new as the version. Reads what is missing on the given connection. */
  at(db: Queries, project_id: string, version: number): Promise<Catalogue>;
}

/** Projects kept in memory; the one longest unused goes first. */
const projects_max = 1000;

/**
 * Keeps catalogues in memory. A newer version makes just the campaigns and rules that changed be read and compiled again; only
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
  const changed = (kind: "campaign" | "validation_rule") => [
    ...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id)),
  ];
  const with_rules = await withChangedRules(db, { ...known, version: reached }, changed("validation_rule"));
  return withChangedCampaigns(db, with_rules, changed("campaign"));
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
    rules: compiledRules(await findRules(db, project_id)),
  };
  const campaigns = await findCampaigns(db, project_id);
  const tiers = await findTiers(db, project_id);
  const assignments = await findAssignmentsOfType(db, project_id, ["campaign", "promotion_tier"]);
  return withCampaigns(empty, campaigns, tiers, assignments);
}

async function withChangedRules(db: Queries, known: Catalogue, ids: readonly string[]): Promise<Catalogue> {
  if (ids.length === 0) return known;
  const rows = await findRulesByIds(db, known.project.id, ids);
  return { ...known, rules: new Map([...known.rules, ...compiledRules(rows)]) };
}

async function withChangedCampaigns(db: Queries, known: Catalogue, ids: readonly string[]): Promise<Catalogue> {
  if (ids.length === 0) return known;
  const project_id = known.project.id;
  const changed = new Set(ids);
  const unchanged: Catalogue = {
    ...known,
    campaigns: new Map([...known.campaigns].filter(([id]) => !changed.has(id))),
    tiers: new Map([...known.tiers].filter(([, tier]) => !changed.has(tier.row.campaign_id))),
  };
  const campaigns = await findCampaignsByIds(db, project_id, ids);
  const tiers = await findTiersOfCampaigns(db, project_id, ids);
  const assignments = await findAssignmentsTo(db, project_id, [...ids, ...tiers.map(({ id }) => id)]);
  return withCampaigns(unchanged, campaigns, tiers, assignments);
}

/** What stands in for a rule that does not compile, which only another version can have stored: it never holds. */
const never = { rules: { "1": { name: "order.initial_amount", conditions: { $less_than: [-1] } }, logic: "1" } };

function compiledRules(rows: readonly ValidationRuleRow[]): Map<string, CompiledRule> {
  return new Map(
    rows.flatMap((row): [string, CompiledRule][] => {
      const compiled = [row, { ...never, id: row.id }].map((source) => compileRule(source));
      return compiled
        .flatMap((one): [string, CompiledRule][] => ("rule" in one ? [[row.id, one.rule]] : []))
        .slice(0, 1);
    }),
  );
}

function withCampaigns(
  catalogue: Catalogue,
  rows: readonly Campaign[],
  tier_rows: readonly PromotionTier[],
  assignments: readonly Assignment[],
): Catalogue {
  const { timezone } = catalogue.project;
  const ruleIdsOf = (id: string) =>
    assignments.filter(({ related_object_id }) => related_object_id === id).map(({ rule_id }) => rule_id);
  const campaigns = new Map(catalogue.campaigns);
  for (const row of rows) {
    const facts = {
      id: row.id,
      active: row.active,
      window: compileWindow(row, timezone),
      category: categoryFacts(catalogue, row.category_id),
    };
    campaigns.set(row.id, { row, facts, rule_ids: ruleIdsOf(row.id) });
  }
  const tiers = new Map(catalogue.tiers);
  for (const row of tier_rows) {
    const campaign = campaigns.get(row.campaign_id);
    if (!campaign) continue;
    tiers.set(row.id, {
      row,
      campaign,
      rule_ids: ruleIdsOf(row.id),
      window: compileWindow(row, timezone),
      discount: compileDiscount(row.discount),
    });
  }
  return { ...catalogue, campaigns, tiers };
}

/** The category of a campaign, tier or voucher; a deleted one counts for nothing. */
export function categoryFacts({ categories }: Catalogue, id: string | null): CategoryFacts | null {
  return (id === null ? undefined : categories.get(id)) ?? null;
}
