import {
  type CollectionSource,
  compileCollection,
  DEFAULT_STACKING_RULES,
  type ProductCollection,
} from "@guerdon/engine";
import { Map as PersistentMap } from "immutable";
import { type Campaign, findCampaigns, findCampaignsByIds } from "../features/campaigns/index.js";
import { findCategories } from "../features/categories/index.js";
import { findCollections, findCollectionsByIds } from "../features/product-collections/index.js";
import { findProject, type Project } from "../features/projects/index.js";
import { findTiersOfCampaigns } from "../features/promotions/index.js";
import { findSegments, findSegmentsByIds } from "../features/segments/index.js";
import { findAssignmentsTo, findRuleTexts, findRuleTextsByIds } from "../features/validation-rules/index.js";
import type { Queries } from "../platform/database.js";
import { problems } from "../platform/http/problems.js";
import { type CatalogueKind, findEdits } from "../recording/index.js";
import { type Catalogue, CatalogueCampaign, CatalogueTier } from "./catalogue.js";
import { customerSegment } from "./customer-segment.js";
import type { RuleShelf } from "./rule-shelf.js";

/** Rows read at once, so that no project, however large, keeps the process busy for more than some milliseconds. */
const page_size = 1000;

/** Beyond so many changes reading everything is the shorter way. */
const changes_max = 5000;

/** Reads the whole catalogue of a project, page by page. */
export async function readCatalogue(
  db: Queries,
  project_id: string,
  version: number,
  shelf: RuleShelf,
): Promise<Catalogue> {
  const settings = await readSettings(db, project_id);
  let catalogue: Catalogue = {
    version,
    ...settings,
    stacking_rules: DEFAULT_STACKING_RULES,
    campaigns: PersistentMap(),
    tiers: PersistentMap(),
    rules: PersistentMap(),
    collections: including(PersistentMap(), await findCollections(db, project_id), collectionOf),
    segments: including(PersistentMap(), await findSegments(db, project_id), customerSegment),
  };
  await eachPage(
    (after) => findRuleTexts(db, project_id, after, page_size),
    async (texts) => {
      catalogue = { ...catalogue, rules: including(catalogue.rules, texts, shelved(shelf)) };
    },
  );
  await eachPage(
    (after) => findCampaigns(db, project_id, after, page_size),
    async (rows) => {
      catalogue = await withCampaigns(db, catalogue, rows);
    },
  );
  return catalogue;
}

/** The next version of a catalogue: only what changed since is read again. */
export async function refreshed(db: Queries, known: Catalogue, version: number, shelf: RuleShelf): Promise<Catalogue> {
  const { id: project_id } = known.project;
  const changes = await findEdits(db, project_id, known.version, changes_max + 1);
  const reached = changes.reduce((highest, change) => Math.max(highest, change.version), version);
  const settings = changes.some(({ kind }) => kind === "project") ? await readSettings(db, project_id) : null;
  // Windows are compiled for the zone.
  if (changes.length > changes_max || (settings && settings.project.timezone !== known.project.timezone)) {
    return readCatalogue(db, project_id, reached, shelf);
  }
  const changed = (kind: CatalogueKind) => [
    ...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id)),
  ];
  const catalogue: Catalogue = {
    ...known,
    ...settings,
    version: reached,
    rules: await replaced(known.rules, changed("validation_rule"), shelved(shelf), (ids) =>
      findRuleTextsByIds(db, project_id, ids),
    ),
    collections: await replaced(known.collections, changed("product_collection"), collectionOf, (ids) =>
      findCollectionsByIds(db, project_id, ids),
    ),
    segments: await replaced(known.segments, changed("segment"), customerSegment, (ids) =>
      findSegmentsByIds(db, project_id, ids),
    ),
  };
  const campaigns = changed("campaign");
  if (campaigns.length === 0) return catalogue;
  const rows = await findCampaignsByIds(db, project_id, campaigns);
  return withCampaigns(db, withoutCampaigns(catalogue, campaigns), rows);
}

/** What is read whole with every change of it: the project's settings and its categories. */
async function readSettings(db: Queries, project_id: string): Promise<Pick<Catalogue, "project" | "categories">> {
  const project: Project | undefined = await findProject(db, project_id);
  if (!project) throw problems.notFound("project", project_id);
  const categories = new Map((await findCategories(db, project_id)).map((category) => [category.id, category]));
  return { project, categories };
}

async function eachPage<Row extends { id: string }>(
  read: (after: string) => Promise<Row[]>,
  take: (rows: Row[]) => Promise<void>,
): Promise<void> {
  let after = "";
  for (;;) {
    const rows = await read(after);
    await take(rows);
    const last = rows.at(-1);
    if (!last || rows.length < page_size) return;
    after = last.id;
  }
}

const shelved =
  (shelf: RuleShelf) =>
  ({ text }: { id: string; text: string }) =>
    shelf.place(text);

/** Null for a filter that another version has stored and this one cannot read: nothing belongs. */
function collectionOf(row: CollectionSource): ProductCollection | null {
  const compiled = compileCollection(row);
  return "collection" in compiled ? compiled.collection : null;
}

/** The map with an entry for each row that comes to something. */
const including = <Row extends { id: string }, Value>(
  map: PersistentMap<string, Value>,
  rows: readonly Row[],
  entryOf: (row: Row) => Value | null,
) =>
  map.withMutations((entries) => {
    for (const row of rows) {
      const value = entryOf(row);
      if (value !== null) entries.set(row.id, value);
    }
  });

/** The map with what changed read again, and without what is gone. */
async function replaced<Row extends { id: string }, Value>(
  map: PersistentMap<string, Value>,
  ids: readonly string[],
  entryOf: (row: Row) => Value | null,
  read: (ids: readonly string[]) => Promise<Row[]>,
): Promise<PersistentMap<string, Value>> {
  return ids.length === 0 ? map : including(map.deleteAll(ids), await read(ids), entryOf);
}

function withoutCampaigns(catalogue: Catalogue, ids: readonly string[]): Catalogue {
  const tier_ids = ids.flatMap((id) => catalogue.campaigns.get(id)?.tier_ids ?? []);
  return {
    ...catalogue,
    campaigns: catalogue.campaigns.deleteAll(ids),
    tiers: catalogue.tiers.deleteAll(tier_ids),
  };
}

async function withCampaigns(db: Queries, catalogue: Catalogue, rows: readonly Campaign[]): Promise<Catalogue> {
  if (rows.length === 0) return catalogue;
  const { id: project_id, timezone } = catalogue.project;
  const ids = rows.map(({ id }) => id);
  const tiers = await findTiersOfCampaigns(db, project_id, ids);
  const assignments = await findAssignmentsTo(db, project_id, [...ids, ...tiers.map(({ id }) => id)]);
  const rule_ids = grouped(assignments, ({ related_object_id, rule_id }) => [related_object_id, rule_id]);
  const tier_ids = grouped(tiers, ({ campaign_id, id }) => [campaign_id, id]);
  return {
    ...catalogue,
    campaigns: including(
      catalogue.campaigns,
      rows,
      (row) => new CatalogueCampaign(row, rule_ids(row.id), tier_ids(row.id), timezone),
    ),
    tiers: including(catalogue.tiers, tiers, (row) => new CatalogueTier(row, rule_ids(row.id), timezone)),
  };
}

function grouped<Row>(rows: readonly Row[], pair: (row: Row) => [key: string, id: string]) {
  const groups = new Map<string, string[]>();
  for (const row of rows) {
    const [key, id] = pair(row);
    const group = groups.get(key);
    if (group) group.push(id);
    else groups.set(key, [id]);
  }
  return (key: string): readonly string[] => groups.get(key) ?? none;
}

const none: readonly string[] = [];
