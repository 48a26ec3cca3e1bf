import type { Queries } from "../../platform/db/database.js";
import { problems } from "../../platform/http/problems.js";
import { findLocationsByIds } from "../locations/index.js";
import { findCollectionsByIds } from "../product-collections/index.js";
import { findProductsByNames, findSkusByNames, isShipping, type Product, type Sku } from "../products/index.js";
import { findSegmentsByIds } from "../segments/index.js";
import { namesIn } from "./names.js";
import { notHeld } from "./not-held.js";
import { resources_max, type SavedResources } from "./template.js";

/** What definitions name, and what that names in turn, as it is now. What is in the bin is kept: nothing can be set up without it. */
export async function savedResources(
  db: Queries,
  project_id: string,
  definitions: readonly unknown[],
): Promise<SavedResources> {
  const ids = [...namesIn(definitions).anywhere];
  const [collections, segments] = await Promise.all([
    findCollectionsByIds(db, project_id, ids),
    findSegmentsByIds(db, project_id, ids),
  ]);
  const listed = segments.find(({ type }) => type === "static");
  if (listed) throw notHeld(`segment ${listed.id} lists customers of this project`);
  const all = [...definitions, ...collections.map(({ filter, products }) => [filter, products]), ...segments];
  const { anywhere, as_names } = namesIn(all);
  const [locations, { products, skus }] = await Promise.all([
    findLocationsByIds(db, project_id, [...anywhere]),
    goodsNamed(db, project_id, anywhere, as_names),
  ]);
  const saved = {
    locations: locations.map(({ id, name, shape }) => ({ id, name, shape })),
    products: products.map(savedProduct),
    skus: skus.map(savedSku),
    collections: collections.map(({ id, name, type, filter, products }) => ({ id, name, type, filter, products })),
    segments: segments.map(({ id, name, type, filter }) => ({ id, name, type, filter })),
  };
  const count = Object.values(saved).reduce((sum, of_a_kind) => sum + of_a_kind.length, 0);
  if (count > resources_max) {
    throw problems.invalidPayload(
      `A template cannot hold more than ${resources_max} products, SKUs, collections, segments and locations`,
    );
  }
  return saved;
}

/** Products and SKUs, and the products of those. */
async function goodsNamed(
  db: Queries,
  project_id: string,
  ids: ReadonlySet<string>,
  names: ReadonlySet<string>,
): Promise<{ products: Product[]; skus: Sku[] }> {
  // An id that stands anywhere is one; a source id only where something is named by it.
  const isMeant = ({ id, source_id }: Product | Sku) => ids.has(id) || names.has(source_id ?? "");
  const skus = distinct((await findSkusByNames(db, project_id, [...ids])).filter(isMeant));
  const of_skus = new Set(skus.map(({ product_id }) => product_id));
  const found = await findProductsByNames(db, project_id, [...new Set([...ids, ...of_skus])]);
  const products = distinct(found.filter((one) => of_skus.has(one.id) || isMeant(one)));
  return { skus, products: products.filter(({ id }) => !isShipping(id)) };
}

const distinct = <Row extends { id: string }>(rows: readonly Row[]) => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** What of a product a template keeps. */
export const savedProduct = ({ id, source_id, name, price, attributes, metadata, image_url }: Product) => ({
  ...{ id, source_id, name, price, attributes, metadata, image_url },
});

/** What of a SKU a template keeps. */
export const savedSku = (one: Sku) => {
  const { id, product_id, source_id, sku, price, currency, attributes, metadata, image_url } = one;
  return { id, product_id, source_id, sku, price, currency, attributes, metadata, image_url };
};
