import type { ProductFacts, SkuFacts } from "@guerdon/engine";
import { newId } from "../../platform/ids.js";
import { type Change, part } from "../../recording/index.js";
import { eventSourceOf } from "../../terms/index.js";
import type { Call } from "../projects/index.js";
import type { NamingLine } from "./catalogue-of-lines.js";
import { isShipping, newProduct, type Product, patchOf, untouchedShipping } from "./product.js";
import { type PatchedProduct, saveProductsOfLines } from "./product.store.js";
import { newSku, type Sku, skuPatchOf } from "./sku.js";
import { type PatchedSku, saveSkusOfLines } from "./sku.store.js";

/** What has to be known of whoever changes the catalogue. */
export type OverridingCall = Pick<Call, "project" | "metadata_schemas" | "instant" | "caller">;

interface Overriding {
  override?: boolean | null;
}

/** A line over what the catalogue knows of it, which may say that the catalogue is to know it so from now on. */
interface OverridingLine extends NamingLine {
  product?: (ProductFacts & Overriding) | null;
  sku?: (SkuFacts & Overriding) | null;
  catalogue_product?: ProductFacts | null;
  catalogue_sku?: SkuFacts | null;
}

const products_of_lines = part<PatchedProduct>("products of lines", "objects", saveProductsOfLines);
// After them: a new SKU may be of a new product.
const skus_of_lines = part<PatchedSku>("skus of lines", "objects", saveSkusOfLines);

/**
 * Name, price and metadata that lines with `override` say of products and SKUs, for the catalogue (rules.md §19): what it
 * has is changed, what it has not is made under the name that the line calls it by. A page changes nothing, since everybody
 * can read its key (ADR 46); nor does a line that names nothing, or a new SKU of no product.
 */
export function overrideCatalogue(change: Change, call: OverridingCall, lines: readonly OverridingLine[]): void {
  for (const { product, sku } of overridesOf(call, lines)) {
    if (product) change.add(products_of_lines, product);
    if (sku) change.add(skus_of_lines, sku);
  }
}

/** What lines say for the catalogue; what they would make must have the metadata that it needs. */
export function overridesOf(call: OverridingCall, lines: readonly OverridingLine[]) {
  if (eventSourceOf(call.caller).channel === "CLIENT_API") return [];
  return lines.map((line) => {
    const product = line.product?.override === true ? productSaid(call, line) : undefined;
    const sku = line.sku?.override === true ? skuSaid(call, line, product?.made.id) : undefined;
    for (const made of [product, sku]) {
      if (made && !made.is_known) call.metadata_schemas.assertFits("product", made.patch.metadata, { is_made: true });
    }
    return { product, sku };
  });
}

function productSaid(call: OverridingCall, line: OverridingLine): PatchedProduct | undefined {
  const { name, price, metadata } = line.product ?? {};
  const patch = patchOf({ name, price, metadata });
  const known_id = line.catalogue_product?.id;
  if (known_id) return { is_known: true, made: knownProduct(call, known_id), patch };
  const named = line.product?.source_id || productName(line) || line.product?.id;
  return named ? { is_known: false, made: newProduct(newId("prod"), named, patch, call.instant), patch } : undefined;
}

const productName = ({ source_id, related_object, product_id }: OverridingLine) =>
  (related_object === "sku" ? null : source_id) || product_id;

/** Shipping may have no row yet, and then gets this one. */
const knownProduct = ({ project, instant }: OverridingCall, id: string): Product =>
  isShipping(id) ? untouchedShipping(project.created_at) : newProduct(id, null, {}, instant);

function skuSaid(
  call: OverridingCall,
  line: OverridingLine,
  made_product_id: string | undefined,
): PatchedSku | undefined {
  const { sku, price, metadata } = line.sku ?? {};
  const patch = skuPatchOf({ sku, price, metadata });
  const product_id = line.catalogue_sku?.product_id ?? line.catalogue_product?.id ?? made_product_id;
  if (!product_id) return undefined;
  const made = (id: string, source_id: string | null): Sku => newSku(id, product_id, source_id, patch, call.instant);
  const known_id = line.catalogue_sku?.id;
  if (known_id) return { is_known: true, made: made(known_id, null), patch };
  const of_line = line.related_object === "sku" ? line.source_id : null;
  const named = line.sku?.source_id || of_line || line.sku_id || line.sku?.id;
  return named ? { is_known: false, made: made(newId("sku"), named), patch } : undefined;
}
