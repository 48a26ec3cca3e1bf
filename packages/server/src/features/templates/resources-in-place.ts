import { isDeepStrictEqual } from "node:util";
import { StartOver } from "../../platform/db/database-errors.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import type { Change } from "../../recording/index.js";
import { findLocationsByIds, makeLocation } from "../locations/index.js";
import { findCollectionsByIds, makeCollection } from "../product-collections/index.js";
import {
  findProductsByNames,
  findSkusByNames,
  insertProducts,
  insertSkus,
  newProduct,
  newSku,
  type Product,
  type Sku,
} from "../products/index.js";
import type { Call } from "../projects/index.js";
import { findSegmentsByIds, makeSegment } from "../segments/index.js";
import { renamed } from "./names.js";
import { savedProduct, savedSku } from "./saved-resources.js";
import type { made_objects } from "./setup.schemas.js";
import type { SavedResources } from "./template.js";

export interface MadeResource {
  id: string;
  object: (typeof made_objects)[number];
}

/** What a set-up has come to so far: under which id there is what the template names by another, and what was made. */
interface Placing {
  change: Change;
  call: Call;
  ids: Map<string, string>;
  made: MadeResource[];
}

/**
 * Sees to it that there is all that a template names: what is unchanged since is used, the others are made anew. Each kind may name
 * those before it.
 */
export async function resourcesInPlace(
  change: Change,
  call: Call,
  saved: SavedResources,
): Promise<Pick<Placing, "ids" | "made">> {
  const placing: Placing = { change, call, ids: new Map(), made: [] };
  await placeLocations(placing, saved.locations);
  await placeProducts(placing, saved.products);
  await placeSkus(placing, saved.skus);
  await placeCollections(placing, saved.collections);
  await placeSegments(placing, saved.segments);
  return placing;
}

async function placeLocations({ change, ids, made }: Placing, saved: SavedResources["locations"]): Promise<void> {
  if (saved.length === 0) return;
  const there = byId(await findLocationsByIds(change.tx, change.cause.project_id, idsOf(saved)));
  for (const { id, name, shape } of saved) {
    if (isDeepStrictEqual(there.get(id)?.shape, shape)) continue;
    const location = await makeLocation(change, { name, shape });
    ids.set(id, location.id);
    made.push({ id: location.id, object: "location" });
  }
}

async function placeProducts({ change, call, ids, made }: Placing, saved: SavedResources["products"]): Promise<void> {
  if (saved.length === 0) return;
  const { tx, cause } = change;
  const there = namedAmong(await findProductsByNames(tx, cause.project_id, namesOf(saved)));
  const missing: Product[] = [];
  for (const one of saved) {
    const known = usable(there, one, (found) => isDeepStrictEqual(savedProduct(found), one), "product");
    if (!known) {
      call.metadata_schemas.assertFits("product", one.metadata, { is_made: true });
      missing.push(newProduct(newId("prod"), one.source_id, one, cause.instant));
    }
    ids.set(one.id, known?.id ?? missing.at(-1)?.id ?? one.id);
  }
  const written = await insertProducts(tx, cause.project_id, missing);
  if (written.length < missing.length) throw new StartOver("a product was made by another request");
  made.push(...missing.map(({ id }) => ({ id, object: "product" as const })));
}

async function placeSkus({ change, call, ids, made }: Placing, saved: SavedResources["skus"]): Promise<void> {
  if (saved.length === 0) return;
  const { tx, cause } = change;
  const there = namedAmong(await findSkusByNames(tx, cause.project_id, namesOf(saved)));
  const missing: Sku[] = [];
  for (const one of saved) {
    const wanted = { ...one, product_id: ids.get(one.product_id) ?? one.product_id };
    const known = usable(there, one, (found) => isDeepStrictEqual(savedSku(found), wanted), "sku");
    if (!known) {
      call.metadata_schemas.assertFits("product", one.metadata, { is_made: true });
      missing.push(newSku(newId("sku"), wanted.product_id, one.source_id, one, cause.instant));
    }
    ids.set(one.id, known?.id ?? missing.at(-1)?.id ?? one.id);
  }
  if ((await insertSkus(tx, cause.project_id, missing)) < missing.length) {
    throw new StartOver("a SKU was made by another request");
  }
  made.push(...missing.map(({ id }) => ({ id, object: "sku" as const })));
}

async function placeCollections(placing: Placing, saved: SavedResources["collections"]): Promise<void> {
  if (saved.length === 0) return;
  const { change, call, ids, made } = placing;
  const there = byId(await findCollectionsByIds(change.tx, call.project_id, idsOf(saved)));
  for (const one of saved) {
    const [filter, products] = [renamed(one.filter, ids), renamed(one.products, ids)];
    const found = there.get(one.id);
    if (found?.type === one.type && isDeepStrictEqual([found.filter, found.products], [filter, products])) continue;
    const input = { name: one.name, type: one.type, filter, ...(products ? { products } : {}) };
    const { id } = await makeCollection(change, call, input);
    ids.set(one.id, id);
    made.push({ id, object: "products_collection" });
  }
}

async function placeSegments(placing: Placing, saved: SavedResources["segments"]): Promise<void> {
  if (saved.length === 0) return;
  const { change, call, ids, made } = placing;
  const there = byId(await findSegmentsByIds(change.tx, call.project_id, idsOf(saved)));
  for (const { id: saved_id, name, type, filter: saved_filter } of saved) {
    const filter = renamed(saved_filter, ids);
    const found = there.get(saved_id);
    if (found?.type === type && isDeepStrictEqual(found.filter, filter)) continue;
    const { id } = await makeSegment(change, call, { name, type, filter });
    ids.set(saved_id, id);
    made.push({ id, object: "segments" });
  }
}

interface Goods {
  id: string;
  source_id: string | null;
  deleted_at: unknown;
}

/**
 * What stands for a product or SKU of the template: the very one while it is as it was; else whatever has its source id, which two cannot
 * have and which is what the shop means by it. One in the bin is neither used nor made again.
 */
function usable<Found extends Goods>(
  there: (name: string, by: "id" | "source_id") => Found | undefined,
  { id, source_id }: Pick<Goods, "id" | "source_id">,
  isAsItWas: (found: Found) => boolean,
  type: "product" | "sku",
): Found | undefined {
  const of_id = there(id, "id");
  const known = of_id && (of_id.deleted_at !== null || isAsItWas(of_id)) ? of_id : there(source_id ?? "", "source_id");
  if (known && known.deleted_at !== null) throw problems.notFound(type, id);
  return known;
}

const namedAmong =
  <Found extends Goods>(found: readonly Found[]) =>
  (name: string, by: "id" | "source_id") =>
    found.find((one) => one[by] === name);

const namesOf = (saved: readonly Pick<Goods, "id" | "source_id">[]) =>
  saved.flatMap(({ id, source_id }) => [id, ...(source_id === null ? [] : [source_id])]);

const idsOf = (saved: readonly { id: string }[]) => saved.map(({ id }) => id);
const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));
