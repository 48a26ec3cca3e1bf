import type { Static } from "typebox";
import { StartOver } from "../../../platform/db/database-errors.js";
import { problems } from "../../../platform/http/problems.js";
import { newId } from "../../../platform/ids.js";
import type { Change } from "../../../recording/index.js";
import { metadataError } from "../../async-actions/index.js";
import { type ImportKind, type ImportTurn, type RowOutcome, readingFirst, Unreadable } from "../../imports/index.js";
import { isShipping, newProduct, type Product } from "../product.js";
import { ProductCreate } from "../product.schemas.js";
import { storeShipping } from "../product.service.js";
import { findProductsBySourceIds, insertProducts, patchProducts } from "../product.store.js";
import { namesIn } from "./attribute-cells.js";

type Row = Static<typeof ProductCreate>;

/** `PRODUCTS.IMPORT_CSV` (vouchers-and-campaigns.md §9.2). */
export const productsCsvImport: ImportKind<Row> = {
  type: "PRODUCTS.IMPORT_CSV",
  noun: "product",
  told_by: "source_id",
  rows: { start: 200, max: 1_000 },
  csv: {
    columns: ["name", "source id", "price", "attributes", "image url"],
    required: ["name"],
    metadata: "product",
    shape: ProductCreate,
    bodyOf(cells, metadata) {
      const name = cells.text("name");
      if (name === undefined) throw new Unreadable("Name is required");
      return {
        name,
        source_id: cells.text("source id"),
        price: cells.money("price"),
        attributes: namesIn(cells),
        image_url: cells.text("image url")?.trim(),
        metadata,
      };
    },
  },
  apply: readingFirst(importProducts),
};

type Known = Pick<Product, "id" | "deleted_at">;

/** Makes products; of one that is there, or that stands further up, the name alone is taken. */
async function importProducts(
  { tx }: Change,
  { project_id, project, instant, metadata_schemas }: ImportTurn<object>,
  rows: readonly Row[],
): Promise<RowOutcome[]> {
  const source_ids = rows.flatMap(({ source_id }) => source_id || []);
  if (source_ids.some(isShipping)) await storeShipping(tx, { project_id, created_at: project.created_at });
  const known = new Map<string, Known>();
  for (const product of await findProductsBySourceIds(tx, project_id, source_ids))
    if (product.source_id) known.set(product.source_id, product);
  const made: Product[] = [];
  const named = new Map<string, string | null>();
  const outcomes = rows.map(({ source_id = null, ...row }): RowOutcome => {
    const there = source_id === null ? undefined : known.get(source_id);
    if (there?.deleted_at) return { refused: problems.duplicate("product", source_id ?? "", "source_id").message };
    if (there) {
      named.set(there.id, row.name ?? null);
      return { is_new: false };
    }
    const product = newProduct(newId("prod"), source_id, row, instant);
    const { metadata } = product;
    const error = metadataError(metadata_schemas, "product", { sent: metadata, merged: metadata, is_made: true });
    if (error) return { refused: error.details };
    made.push(product);
    if (source_id !== null) known.set(source_id, product);
    return { is_new: true };
  });
  const written = await insertProducts(tx, project_id, made);
  const patches = [...named].map(([id, name]) => ({ id, patch: { name } }));
  const patched = await patchProducts(tx, project_id, patches, instant);
  if (written.length < made.length || patched.length < patches.length)
    throw new StartOver("a product was made or deleted by another request");
  return outcomes;
}
