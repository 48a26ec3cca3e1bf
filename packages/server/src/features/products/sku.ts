import { type Instant, isoOf } from "../../platform/clock.js";
import { said } from "./product.js";

/** A variant of a product as stored; what it lacks, its product gives (rules.md §17.1). Money in minor units. */
export interface Sku {
  id: string;
  product_id: string;
  source_id: string | null;
  /** The variant's name. */
  sku: string | null;
  price: number | null;
  currency: string | null;
  /** Values for the names that the product lists. */
  attributes: Record<string, unknown>;
  metadata: Record<string, unknown>;
  image_url: string | null;
  created_at: Instant;
  updated_at: Instant | null;
  deleted_at: Instant | null;
}

/** What a caller says of a SKU: absent fields stay, null empties, metadata merges key by key. */
export interface SkuInput {
  sku?: string | null;
  price?: number | null;
  currency?: string | null;
  attributes?: Record<string, unknown> | null;
  metadata?: Record<string, unknown> | null;
  image_url?: string | null;
}

export interface SkuPatch extends SkuInput {
  source_id?: string;
}

export function newSku(
  id: string,
  product_id: string,
  source_id: string | null,
  input: SkuInput,
  instant: Instant,
): Sku {
  return {
    id,
    product_id,
    source_id,
    sku: input.sku ?? null,
    price: input.price ?? null,
    currency: input.currency ?? null,
    attributes: input.attributes ?? {},
    metadata: input.metadata ?? {},
    image_url: input.image_url ?? null,
    created_at: instant,
    updated_at: null,
    deleted_at: null,
  };
}

/** The fields of the input that were said; a SKU's other fields cannot be changed. */
export function skuPatchOf({ sku, price, currency, attributes, metadata, image_url }: SkuInput): SkuPatch {
  return said({ sku, price, currency, attributes, metadata, image_url });
}

/** A SKU as every answer shows it. */
export function toSkuBody({ deleted_at, created_at, updated_at, ...shown }: Sku) {
  return { ...shown, created_at: isoOf(created_at), updated_at: isoOf(updated_at), object: "sku" as const };
}
