import type { Static } from "typebox";
import type { Context } from "../../platform/context.js";
import { startBulk } from "../async-actions/index.js";
import type { Call } from "../projects/index.js";
import { type ProductInput, patchOf } from "./product.js";
import type { ProductsBulkUpdate, ProductsMetadataUpdate } from "./product.schemas.js";

/** Products that are changed together at most. */
const together_max = 250;

/** `POST /v1/products/metadata/async` (vouchers-and-campaigns.md §8). */
export function startMetadataUpdate(
  context: Context,
  call: Call,
  { source_ids, metadata }: Static<typeof ProductsMetadataUpdate>,
) {
  return startBulk(context, call, { type: "PRODUCTS.METADATA_UPDATE", entries: source_ids, metadata, together_max });
}

/** A product as `POST /v1/products/bulk/async` changes it. */
export interface BulkEntry {
  source_id: string;
  patch: ProductInput;
}

/** `POST /v1/products/bulk/async` (§8). */
export function startBulkUpdate(context: Context, call: Call, sent: Static<typeof ProductsBulkUpdate>) {
  const entries = sent.map((product): BulkEntry => ({ source_id: product.source_id, patch: patchOf(product) }));
  return startBulk(context, call, { type: "PRODUCTS.BULK_UPDATE", entries, together_max });
}
