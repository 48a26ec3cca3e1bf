import type { Schemas } from "../../api/client.js";
import { decimalString, minorOf } from "../../api/money.js";
import type { Project } from "../../api/project.js";
import { changedKeys, objectIn, typedOf, valuesIn } from "../../api/values.js";
import { fieldPart, type Parts } from "../../parts/editing/clash.js";
import { metadataParts } from "../../parts/editing/metadata-parts.js";
import { t } from "../../text/index.js";
import type { Product, Sku } from "./products.queries.js";

/** A product or a SKU as it is typed. */
export interface CatalogueForm {
  name: string;
  price: string;
  /** Of a product: names. A SKU has values for them, as JSON. */
  attributes: string;
  image_url: string;
  metadata: string;
}

export type CatalogueFaults = Partial<Record<keyof CatalogueForm, string>>;
type Writes = Pick<Project, "digits" | "currency">;

const json = (of: object) => JSON.stringify(of, null, 2);

export const productForm = (
  { name, price, attributes, image_url, metadata }: Product,
  { digits }: Writes,
): CatalogueForm => ({
  name: name ?? "",
  price: price === null ? "" : decimalString(price, digits),
  attributes: typedOf(attributes),
  image_url: image_url ?? "",
  metadata: json(metadata),
});

export const skuForm = ({ sku, price, attributes, image_url, metadata }: Sku, { digits }: Writes): CatalogueForm => ({
  name: sku ?? "",
  price: price === null ? "" : decimalString(price, digits),
  attributes: json(attributes),
  image_url: image_url ?? "",
  metadata: json(metadata),
});

const words = t.products;

/** What others may change of it meanwhile. */
export const catalogueParts: Parts<CatalogueForm> = (forms) => [
  fieldPart("name", words.name),
  fieldPart("price", words.price),
  fieldPart("attributes", words.attributes),
  fieldPart("image_url", words.image),
  ...metadataParts<CatalogueForm>(words.metadata)(forms),
];

export function faultsIn({ price, attributes, metadata }: CatalogueForm, of: "product" | "sku", writes: Writes) {
  const faults: CatalogueFaults = {};
  if (price.trim() !== "" && minorOf(price, writes.digits) === null)
    faults.price = t.products.price_bad(writes.currency);
  if (of === "sku" && objectIn(attributes) === null) faults.attributes = t.products.metadata_bad;
  if (objectIn(metadata) === null) faults.metadata = t.products.metadata_bad;
  return faults;
}

/**
 * What somebody has changed, and nothing else: what another person has saved meanwhile in other fields, or under other keys, stays.
 */
export const productChanges = (
  before: CatalogueForm,
  form: CatalogueForm,
  writes: Writes,
): Schemas["ProductUpdate"] => ({
  ...changesOf(before, form, writes),
  ...(form.name !== before.name && { name: textOrNull(form.name) }),
  ...(form.attributes !== before.attributes && { attributes: valuesIn(form.attributes) }),
});

/** The same of a SKU, which has values for its product's attributes. */
export const skuChanges = (before: CatalogueForm, form: CatalogueForm, writes: Writes): Schemas["SkuUpdate"] => ({
  ...changesOf(before, form, writes),
  ...(form.name !== before.name && { sku: textOrNull(form.name) }),
  ...(form.attributes !== before.attributes && { attributes: objectIn(form.attributes) ?? {} }),
});

const changesOf = (before: CatalogueForm, form: CatalogueForm, { digits }: Writes) => ({
  ...(form.price !== before.price && { price: minorOf(form.price, digits) }),
  ...(form.image_url !== before.image_url && { image_url: textOrNull(form.image_url) }),
  ...(form.metadata !== before.metadata && {
    metadata: changedKeys(objectIn(before.metadata), objectIn(form.metadata)),
  }),
});

const textOrNull = (typed: string) => (typed.trim() === "" ? null : typed.trim());
