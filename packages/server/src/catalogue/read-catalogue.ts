import type { Queries } from "../platform/db/database.js";
import { Unavailable } from "../platform/db/database-errors.js";
import { problems } from "../platform/http/problems.js";
import { type EditedObject, findEdits } from "../recording/index.js";
import { Catalogue, type CatalogueParts, type ProjectSettings } from "./catalogue.js";
import type { MetLately } from "./memory/met-lately.js";
import { PackedTexts } from "./packed-texts.js";
import { pagesOf, pagesOfIds, rowsOf } from "./pages.js";
import type { Shelf, ShelfEnvironment, ShelfRow } from "./shelf.js";
import { ShelfView } from "./shelf-view.js";

/** Shelves read at once: what a project may take of the connections while others wait for theirs. */
const shelves_at_once = 4;

/** Beyond so many edits reading everything is the shorter way. */
const edits_max = 5000;

interface Reading extends CatalogueParts {
  lately: MetLately;
  /** Told of what a project's catalogue has grown by. @throws when that is too much */
  grown(project_id: string, bytes: number): void;
}

/** How often edits may come while others are read, until whoever waits is sent away. */
const rounds_max = 20;

/** Reads the whole catalogue of a project: that version of it, or a later one if it was edited meanwhile. */
export async function readCatalogue(
  db: Queries,
  project_id: string,
  version: number,
  reading: Reading,
): Promise<Catalogue> {
  const read = await readAll(db, project_id, version, reading);
  return (await refreshed(db, read, version, reading)).catalogue;
}

/** Page by page. An edit that comes meanwhile may be in it, and one from before that not. */
async function readAll(db: Queries, project_id: string, version: number, reading: Reading): Promise<Catalogue> {
  const project = await readSettings(db, project_id, reading);
  const environment = environmentOf(project);
  const views = new Map<Shelf<unknown>, ShelfView<unknown>>();
  const waiting = [...reading.shelves];
  const readers = Array.from({ length: shelves_at_once }, async () => {
    for (let shelf = waiting.shift(); shelf; shelf = waiting.shift()) {
      const packed = await readShelf(db, project_id, shelf, reading);
      views.set(shelf, new ShelfView<unknown>(shelf, environment, reading.lately).packedAnew(packed));
    }
  });
  await Promise.all(readers);
  return new Catalogue(version, project, views);
}

const environmentOf = ({ timezone, metadata_types }: ProjectSettings): ShelfEnvironment => ({
  time_zone: timezone,
  metadata_type: metadata_types.typeOf,
});

const isCompiledAlike = (one: ProjectSettings, other: ProjectSettings) =>
  one.timezone === other.timezone && one.metadata_types.text === other.metadata_types.text;

async function readSettings(
  db: Queries,
  project_id: string,
  { settings }: Pick<Reading, "settings">,
): Promise<ProjectSettings> {
  const project = await settings.read(db, project_id);
  if (!project) throw problems.notFound("project", project_id);
  return project;
}

async function readShelf(
  db: Queries,
  project_id: string,
  shelf: Shelf<unknown>,
  { grown }: Pick<Reading, "grown">,
): Promise<PackedTexts> {
  const packed = new PackedTexts();
  for await (const page of pagesOf(db, project_id, shelf)) {
    grown(project_id, page.bytes.length);
    packed.addPage(page);
  }
  return packed.sealed();
}

/** The next version of a catalogue. */
interface Refreshed {
  catalogue: Catalogue;
  /** Ids of what was read again; null: everything was. */
  edited: readonly string[] | null;
}

/**
 * Reads again only what changed since; everything where that is no longer known, or too much. Statements see what was
 * committed before each of them: only when nothing has been edited since the first of them does the catalogue hold the edits
 * up to its version and no other.
 */
export async function refreshed(db: Queries, known: Catalogue, version: number, reading: Reading): Promise<Refreshed> {
  const { id: project_id } = known.project;
  let [catalogue, edited]: [Catalogue, readonly string[] | null] = [known, []];
  for (let round = 0; round < rounds_max; round += 1) {
    const edits = await findEdits(db, project_id, catalogue.version, edits_max + 1);
    const reached = Math.max(version, catalogue.version, ...edits.map((edit) => edit.version));
    if (reached === catalogue.version) return { catalogue, edited };
    if (edits.length > edits_max || hasGap(edits, catalogue.version, reached)) {
      [catalogue, edited] = [await readAll(db, project_id, reached, reading), null];
    } else {
      const next = await withEdits(db, catalogue, reached, edits, reading);
      edited = edited && next.edited ? [...edited, ...next.edited] : null;
      catalogue = next.catalogue;
    }
  }
  throw new Unavailable("the project is edited faster than its catalogue can be read", undefined);
}

async function withEdits(
  db: Queries,
  known: Catalogue,
  version: number,
  edits: readonly EditedObject[],
  reading: Reading,
): Promise<Refreshed> {
  const { id: project_id } = known.project;
  const settings = edits.some(({ kind }) => kind === reading.settings.kind);
  const project = settings ? await readSettings(db, project_id, reading) : known.project;
  const is_anew = !isCompiledAlike(project, known.project);
  const views = new Map<Shelf<unknown>, ShelfView<unknown>>();
  const edited: string[] = [];
  for (const [shelf, view] of known.shelves) {
    const ids = [...new Set(edits.flatMap(({ kind, id }) => (shelf.follows.includes(kind) ? id : [])))];
    const next = ids.length === 0 ? view : view.after(ids, await readEdited(db, project_id, shelf, ids, reading));
    views.set(shelf, is_anew ? next.in(environmentOf(project)) : next);
    edited.push(...ids);
  }
  return { catalogue: new Catalogue(version, project, views), edited: is_anew ? null : edited };
}

/**
 * Each version names what it changed, so a version without a row is one whose rows have ended on schedule. Rows may be
 * deleted in any order: one that is missing in the middle is found as well.
 */
function hasGap(edits: readonly { version: number }[], known: number, reached: number): boolean {
  return new Set(edits.map(({ version }) => version)).size < reached - known;
}

async function readEdited(
  db: Queries,
  project_id: string,
  shelf: Shelf<unknown>,
  ids: readonly string[],
  { grown }: Pick<Reading, "grown">,
): Promise<ShelfRow[]> {
  const rows: ShelfRow[] = [];
  for await (const page of pagesOfIds(db, project_id, shelf, ids)) {
    grown(project_id, page.bytes.length);
    rows.push(...rowsOf(page));
  }
  return rows;
}
