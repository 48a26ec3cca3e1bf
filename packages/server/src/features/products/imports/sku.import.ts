import Type, { type Static } from "typebox";
import { StartOver } from "../../../platform/db/database-errors.js";
import { problems } from "../../../platform/http/problems.js";
import { text } from "../../../platform/http/schema.js";
import { newId } from "../../../platform/ids.js";
import { type Change, readUnderKeys } from "../../../recording/index.js";
import { metadataError } from "../../async-actions/index.js";
import { type ImportKind, type ImportTurn, type RowOutcome, readingFirst, Unreadable } from "../../imports/index.js";
import { isShipping, type Product } from "../product.js";
import { SkuCreate } from "../product.schemas.js";
import { productKey, storeShipping } from "../product.service.js";
import { findProductsByNames } from "../product.store.js";
import { newSku, type Sku, type SkuPatch } from "../sku.js";
import { findSkusBySourceIds, insertSkus, patchSkus } from "../sku.store.js";
import { valuesIn } from "./attribute-cells.js";

const SkuRow = Type.Object({ ...SkuCreate.properties, product_id: text({ minLength: 1 }) });
type Row = Static<typeof SkuRow>;

/** `SKUS.IMPORT_CSV` (vouchers-and-campaigns.md §9.2): each product is a key. */
export const skusCsvImport: ImportKind<Row> = {
  type: "SKUS.IMPORT_CSV",
  noun: "sku",
  told_by: "source_id",
  rows: { start: 100, max: 200 },
  csv: {
    columns: ["product id", "sku", "source id", "price", "currency", "attributes", "image url"],
    required: ["product id"],
    metadata: "product",
    shape: SkuRow,
    bodyOf(cells, metadata) {
      const product_id = cells.text("product id");
      if (product_id === undefined) throw new Unreadable("Product ID is required");
      return {
        product_id,
        sku: cells.text("sku"),
        source_id: cells.text("source id"),
        price: cells.money("price"),
        currency: cells.text("currency")?.trim(),
        attributes: valuesIn(cells),
        image_url: cells.text("image url")?.trim(),
        metadata,
      };
    },
  },
  apply: readingFirst(importSkus),
};

/** Makes SKUs of products that are named by id or source id; of one that is there its name and price alone are taken. */
async function importSkus(
  { tx }: Change,
  { project_id, project, instant, metadata_schemas }: ImportTurn<object>,
  rows: readonly Row[],
): Promise<RowOutcome[]> {
  const names = rows.map(({ product_id }) => product_id);
  if (names.some(isShipping)) await storeShipping(tx, { project_id, created_at: project.created_at });
  const products = await readUnderKeys(
    tx,
    async () => byNames(await findProductsByNames(tx, project_id, names)),
    (found) => [...found.values()].map(({ id }) => productKey(project_id, id)),
  );
  const source_ids = rows.flatMap(({ source_id }) => source_id || []);
  const known = new Map<string | null, Sku>();
  for (const sku of await findSkusBySourceIds(tx, project_id, source_ids)) known.set(sku.source_id, sku);
  const made: Sku[] = [];
  const changed = new Map<string, { id: string; product_id: string; patch: SkuPatch }>();
  const outcomes = rows.map(({ product_id, source_id = null, ...row }): RowOutcome => {
    const product = products.get(product_id);
    if (!product) return { refused: problems.notFound("product", product_id).message };
    const there = source_id === null ? undefined : known.get(source_id);
    if (there && (there.deleted_at !== null || there.product_id !== product.id))
      return { refused: problems.duplicate("sku", source_id ?? "", "source_id").message };
    if (there) {
      const patch = { ...changed.get(there.id)?.patch, ...(row.sku && { sku: row.sku }), ...priceOf(row) };
      changed.set(there.id, { id: there.id, product_id: product.id, patch });
      return { is_new: false };
    }
    const sku = newSku(newId("sku"), product.id, source_id, row, instant);
    const { metadata } = sku;
    const error = metadataError(metadata_schemas, "product", { sent: metadata, merged: metadata, is_made: true });
    if (error) return { refused: error.details };
    made.push(sku);
    if (source_id !== null) known.set(source_id, sku);
    return { is_new: true };
  });
  const written = await insertSkus(tx, project_id, made);
  const patched = await patchSkus(tx, project_id, [...changed.values()], instant);
  if (written < made.length || patched.length < changed.size)
    throw new StartOver("a SKU was made or deleted by another request");
  return outcomes;
}

/** An empty cell says nothing. */
const priceOf = ({ price }: Pick<Row, "price">) => (price == null ? {} : { price });

/** By their ids and their source ids; an id wins. */
function byNames(found: readonly Product[]): Map<string, Product> {
  const live = found.filter(({ deleted_at }) => deleted_at === null);
  const by_source_id = live.flatMap((product) => (product.source_id ? [[product.source_id, product] as const] : []));
  return new Map([...by_source_id, ...live.map((product) => [product.id, product] as const)]);
}
