import type { Tx } from "../../platform/db/database.js";
import { StartOver } from "../../platform/db/database-errors.js";
import { problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { slices } from "../../platform/sharing/slices.js";
import {
  type AsyncJob,
  type BulkError,
  type BulkOutcome,
  bulkError,
  bulkJob,
  CannotGoOn,
  metadataError,
  purgeJob,
  type RunningAction,
} from "../async-actions/index.js";
import { importJob } from "../imports/index.js";
import { findProject, readMetadataSchemas } from "../projects/index.js";
import { productsCsvImport } from "./imports/product.import.js";
import { skusCsvImport } from "./imports/sku.import.js";
import { newProduct, type ProductInput, patchedTwice, shipping } from "./product.js";
import { storeShipping } from "./product.service.js";
import { findProductsBySourceIds, insertProducts, patchProducts, product_metadata_keys } from "./product.store.js";
import type { BulkEntry } from "./product-bulk.service.js";
import { sku_metadata_keys } from "./sku.store.js";

/** Chunks that a slice takes. */
const rows = { start: 2, max: 8 };

/** `PRODUCTS.METADATA_UPDATE`: the same metadata into each product, missing products made (seed.md, endpoint 1). */
const metadataUpdate = bulkJob<string>({
  type: "PRODUCTS.METADATA_UPDATE",
  rows,
  apply({ tx }, action, source_ids) {
    const { metadata = {} } = action.parameters;
    const entries = source_ids.map((source_id): BulkEntry => ({ source_id, patch: { metadata } }));
    return upsertProducts(tx, action, entries);
  },
});

/** `PRODUCTS.BULK_UPDATE`: each product its own change, missing ones made (vouchers-and-campaigns.md §8). */
const bulkUpdate = bulkJob<BulkEntry>({
  type: "PRODUCTS.BULK_UPDATE",
  rows,
  apply: ({ tx }, action, entries) => upsertProducts(tx, action, entries),
});

type ProductOutcome = BulkOutcome & { source_id: string };

/** Changes the products, makes those that are missing; one that is named twice is changed twice, in order. */
async function upsertProducts(tx: Tx, action: RunningAction, entries: readonly BulkEntry[]): Promise<ProductOutcome[]> {
  const { project_id, instant } = action;
  const patches = new Map<string, ProductInput>();
  for (const { source_id, patch } of entries) {
    const before = patches.get(source_id);
    patches.set(source_id, before ? patchedTwice(before, patch) : patch);
  }
  if (patches.has(shipping.source_id)) await storeShippingOf(tx, project_id);
  const stored = await findProductsBySourceIds(tx, project_id, [...patches.keys()]);
  const known = new Map(stored.flatMap((product) => (product.source_id ? [[product.source_id, product]] : [])));
  const schemas = await readMetadataSchemas(tx, project_id);
  const refused = new Map<string, BulkError>();
  const pause = slices();
  for (const [source_id, { metadata }] of patches) {
    const stored_one = known.get(source_id);
    const merged = { ...stored_one?.metadata, ...metadata };
    const error = metadataError(schemas, "product", { sent: metadata, merged, is_made: !stored_one });
    if (error) refused.set(source_id, error);
    await pause();
  }
  const there = stored.flatMap(({ id, source_id, deleted_at }) => {
    const patch = deleted_at === null && source_id !== null ? patches.get(source_id) : undefined;
    return patch && !refused.has(source_id ?? "") ? [{ id, patch }] : [];
  });
  const missing = [...patches].flatMap(([source_id, patch]) =>
    known.has(source_id) || refused.has(source_id) ? [] : newProduct(newId("prod"), source_id, patch, instant),
  );
  const patched = await patchProducts(tx, project_id, there, instant);
  const made = await insertProducts(tx, project_id, missing);
  if (patched.length < there.length || made.length < missing.length) {
    throw new StartOver("a product was made or deleted by another request");
  }
  const found = new Set(known.keys());
  return entries.map(({ source_id }) => {
    if (known.get(source_id)?.deleted_at) return { source_id, found: false, updated: false, error: inBin(source_id) };
    const error = refused.get(source_id);
    if (error) return { source_id, found: known.has(source_id), updated: false, error };
    const outcome = { source_id, found: found.has(source_id), updated: true };
    found.add(source_id);
    return outcome;
  });
}

async function storeShippingOf(tx: Tx, project_id: string): Promise<void> {
  const project = await findProject(tx, project_id);
  if (!project) throw new CannotGoOn("The project is gone");
  await storeShipping(tx, { project_id, created_at: project.created_at });
}

/** A source id in the bin stays taken (rules.md §17.1). */
const inBin = (source_id: string): BulkError => bulkError(problems.duplicate("product", source_id, "source_id"));

/** `PRODUCTS.METADATA_KEY_PURGE`, of SKUs too. Edits are merged where they are written, so that no keys are needed. */
const purge = purgeJob("product", [{ metadata: product_metadata_keys }, { metadata: sku_metadata_keys }]);

/** The jobs of products (vouchers-and-campaigns.md §7.1). */
export const productJobs: readonly AsyncJob[] = [
  ...[metadataUpdate, bulkUpdate],
  purge,
  ...[importJob(productsCsvImport), importJob(skusCsvImport)],
];
