import type { Static } from "typebox";
import type { Context } from "../../platform/context.js";
import { change } from "../../recording/index.js";
import { type AsyncActionType, startAsyncAction } from "../async-actions/index.js";
import type { Call } from "../projects/index.js";
import { type ProductInput, patchOf } from "./product.js";
import type { ProductsBulkUpdate, ProductsMetadataUpdate } from "./product.schemas.js";

/** Products that are changed together at most, and the most bytes that they may bring. */
const products_max = 250;
const bytes_max = 2_000_000;

/** Some products of a bulk request, one item of its action. An item a product would be half a million rows. */
export interface ProductChunk<Entry> {
  /** The number of the first, from 1, in the order of the request. */
  first: number;
  entries: Entry[];
}

/** How many products a bulk request names in all; a metadata update brings the one change of all. */
export interface BulkParameters {
  count: number;
  metadata?: Record<string, unknown>;
}

/** `POST /v1/products/metadata/async` (vouchers-and-campaigns.md §8). */
export function startMetadataUpdate(
  context: Context,
  call: Call,
  { source_ids, metadata }: Static<typeof ProductsMetadataUpdate>,
) {
  const bytes = JSON.stringify(metadata).length;
  const chunks = chunksOf(source_ids, () => bytes);
  return start(context, call, "PRODUCTS.METADATA_UPDATE", { count: source_ids.length, metadata }, chunks);
}

/** A product as `POST /v1/products/bulk/async` changes it. */
export interface BulkEntry {
  source_id: string;
  patch: ProductInput;
}

/** `POST /v1/products/bulk/async` (§8). */
export function startBulkUpdate(context: Context, call: Call, sent: Static<typeof ProductsBulkUpdate>) {
  const entries = sent.map((product): BulkEntry => ({ source_id: product.source_id, patch: patchOf(product) }));
  const chunks = chunksOf(entries, (entry) => JSON.stringify(entry).length);
  return start(context, call, "PRODUCTS.BULK_UPDATE", { count: entries.length }, chunks);
}

async function start<Entry>(
  context: Context,
  call: Call,
  type: AsyncActionType,
  parameters: BulkParameters,
  items: readonly ProductChunk<Entry>[],
) {
  const action = { type, parameters: { ...parameters }, items };
  return change(context, call, async (change) => ({ async_action_id: await startAsyncAction(change, action) }));
}

/** Cuts the entries where the next one would make too many or too much; one alone may be larger. */
function chunksOf<Entry>(entries: readonly Entry[], bytesOf: (entry: Entry) => number): ProductChunk<Entry>[] {
  const chunks: ProductChunk<Entry>[] = [];
  let bytes = 0;
  for (const [i, entry] of entries.entries()) {
    const last = chunks.at(-1);
    bytes += bytesOf(entry);
    if (last && last.entries.length < products_max && bytes <= bytes_max) last.entries.push(entry);
    else {
      chunks.push({ first: i + 1, entries: [entry] });
      bytes = bytesOf(entry);
    }
  }
  return chunks;
}
