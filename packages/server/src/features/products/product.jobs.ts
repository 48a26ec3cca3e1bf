import { bounds, isNoLarger, largerThan } from "../../platform/bounds.js";
import type { Tx } from "../../platform/db/database.js";
import { StartOver } from "../../platform/db/database-errors.js";
import { type Problem, problems } from "../../platform/http/problems.js";
import { newId } from "../../platform/ids.js";
import { refusals } from "../../terms/index.js";
import {
  type AsyncJob,
  type BulkError,
  type BulkOutcome,
  bulkResult,
  CannotGoOn,
  errors_max,
  type RunningAction,
  readItems,
  type Slice,
} from "../async-actions/index.js";
import { findProject, readMetadataSchemas } from "../projects/index.js";
import { newProduct, type ProductInput, patchedTwice, shipping } from "./product.js";
import { storeShipping } from "./product.service.js";
import { findProductsBySourceIds, insertProducts, patchProducts } from "./product.store.js";
import type { BulkEntry, BulkParameters, ProductChunk } from "./product-bulk.service.js";

/** Chunks that a slice takes. */
const rows = { start: 2, max: 8 };

/** Where the next slice begins, and what the report's reader is told at once. */
interface BulkState {
  after: number;
  errors: BulkError[];
}

/** `PRODUCTS.METADATA_UPDATE`: the same metadata into each product, missing products made (seed.md, endpoint 1). */
const metadataUpdate: AsyncJob<BulkParameters, BulkState> = {
  type: "PRODUCTS.METADATA_UPDATE",
  rows,
  slice({ tx }, action) {
    const { metadata = {} } = action.parameters;
    const errorOf = ({ source_id, ...error }: BulkError & { source_id: string }): BulkError => error;
    return bulkSlice(tx, action, (source_id: string): BulkEntry => ({ source_id, patch: { metadata } }), errorOf);
  },
};

/** `PRODUCTS.BULK_UPDATE`: each product its own change, missing ones made (vouchers-and-campaigns.md §8). */
const bulkUpdate: AsyncJob<BulkParameters, BulkState> = {
  type: "PRODUCTS.BULK_UPDATE",
  rows,
  slice: ({ tx }, action) =>
    bulkSlice(
      tx,
      action,
      (entry: BulkEntry) => entry,
      (error) => error,
    ),
};

async function bulkSlice<Entry>(
  tx: Tx,
  action: RunningAction<BulkParameters, BulkState>,
  entryOf: (entry: Entry) => BulkEntry,
  errorOf: (error: BulkError & { source_id: string }) => BulkError,
): Promise<Slice> {
  const { parameters, state, rows_max, done_count, failed_count } = action;
  const items = await readItems<ProductChunk<Entry>>(tx, action, state?.after ?? 0, rows_max);
  const entries = items.flatMap(({ item }) => item.entries.map(entryOf));
  const outcomes = await upsertProducts(tx, action, entries);
  const numbers = items.flatMap(({ item }) => item.entries.map((_, i) => item.first + i));
  const failed = outcomes.flatMap(({ source_id, error }) => (error ? errorOf({ ...error, source_id }) : []));
  const errors = [...(state?.errors ?? []), ...failed].slice(0, errors_max);
  const done = {
    done_count: outcomes.length - failed.length,
    failed_count: failed.length,
    rows: outcomes.map((outcome, i) => ({ number: numbers[i] ?? 0, outcome })),
  };
  const total = done_count + failed_count + outcomes.length;
  const after = items.at(-1)?.number;
  if (total < parameters.count && after !== undefined) {
    return { ...done, done: false, progress: (100 * total) / parameters.count, state: { after, errors } };
  }
  const counts = { done_count: done_count + done.done_count, failed_count: failed_count + done.failed_count };
  return { ...done, done: true, result: bulkResult(counts, errors, action.instant) };
}

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
  for (const [source_id, { metadata }] of patches) {
    const stored_one = known.get(source_id);
    const fault = schemas.faultOf("product", metadata, { is_made: !stored_one });
    if (fault !== null) refused.set(source_id, errorOf(refusals.invalidMetadata(fault)));
    else if (!mayHold({ ...stored_one?.metadata, ...metadata })) refused.set(source_id, tooLarge());
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
function inBin(source_id: string): BulkError {
  return errorOf(problems.duplicate("product", source_id, "source_id"));
}

const mayHold = (metadata: unknown) => isNoLarger(metadata, bounds().metadata_bytes_max);

/** What would be merged into it is more than a metadata object may hold. */
function tooLarge(): BulkError {
  return errorOf(problems.invalidPayload(`Property .metadata ${largerThan(bounds().metadata_bytes_max)}`));
}

function errorOf({ body: { key = "", message, details = "" } }: Problem): BulkError {
  return { key, message, details };
}

/** The jobs of products (vouchers-and-campaigns.md §7.1). */
export const productJobs: readonly AsyncJob[] = [metadataUpdate, bulkUpdate];
