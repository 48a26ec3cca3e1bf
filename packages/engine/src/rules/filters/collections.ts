import { oncePer } from "../../kept-on.js";
import type { OrderLine, ProductFacts } from "../../orders/order.js";
import { isObject, type JsonObject } from "../properties.js";
import type { RuleEnvironment } from "../source.js";
import type { Filter, FilterClock, FilterFault } from "./contract.js";
import { productFields } from "./fields.js";
import { compileFilter } from "./filter.js";
import { hasJunction } from "./segments.js";

/** A product collection as stored (rules.md §17.2). */
export interface CollectionSource {
  readonly id: string;
  readonly type: "STATIC" | "AUTO_UPDATE";
  readonly products?: readonly { id: string; object: "product" | "sku" }[] | null;
  readonly filter?: unknown;
}

/** Whether a line of an order belongs, judged on what is known of its product or SKU (rules.md §6.1). */
export interface ProductCollection {
  readonly id: string;
  /** Ids of the members when they are listed; null when a filter decides. */
  readonly members: { readonly products: ReadonlySet<string>; readonly skus: ReadonlySet<string> } | null;
  holds(line: OrderLine, at: FilterClock): boolean;
}

/** Compiles a collection. A listed product brings all its SKUs; a filter looks at product and SKU separately. */
export function compileCollection(
  source: CollectionSource,
  environment: RuleEnvironment = {},
): { collection: ProductCollection } | { fault: FilterFault } {
  const { id, type, filter } = source;
  if (type === "STATIC") return { collection: listed(source) };
  if (!hasJunction(filter)) {
    const details = "'AUTO_UPDATE' collection must contain valid filter with 'junction' property";
    return { fault: { key: "invalid_payload", path: "filter.junction", details } };
  }
  const compiled = compileFilter(filter, productFields(environment));
  return "fault" in compiled ? compiled : { collection: { id, members: null, holds: filtered(compiled.filter) } };
}

function listed({ id, products }: CollectionSource): ProductCollection {
  const idsOf = (object: "product" | "sku") =>
    new Set((products ?? []).filter((member) => member.object === object).map((member) => member.id));
  const members = { products: idsOf("product"), skus: idsOf("sku") };
  const isMember = (ids: ReadonlySet<string>, found: string | null) => found !== null && ids.has(found);
  return {
    id,
    members,
    holds: (line) => isMember(members.products, line.product_id) || isMember(members.skus, line.sku_id),
  };
}

function filtered(filter: Filter): ProductCollection["holds"] {
  return (line, at) => filter(subjectOf(line), at);
}

// Several collections and rules ask about the same line, which is put together once.
const subjectOf = oncePer(effectiveItem);

/**
 * The product of a line, or its SKU over the product: stored data under what was sent with the line,
 * the line's own metadata and price on top (rules.md §6.1, §17.1).
 */
function effectiveItem(line: OrderLine): JsonObject {
  const { catalogue_product, product, catalogue_sku, sku } = line.input;
  const is_sku = line.sku_id !== null || line.sku_source_id !== null;
  const layers = is_sku ? [catalogue_product, product, catalogue_sku, sku] : [catalogue_product, product];
  return {
    ...Object.assign({}, ...layers.map(present)),
    object: is_sku ? "sku" : "product",
    id: is_sku ? line.sku_id : line.product_id,
    source_id: is_sku ? line.sku_source_id : line.product_source_id,
    product_id: line.product_id,
    price: line.price ?? null,
    metadata: { ...line.product_metadata, ...line.metadata },
  };
}

/** What a layer knows; an empty field leaves what lies below it. */
const present = (layer: ProductFacts | null | undefined): JsonObject =>
  isObject(layer)
    ? Object.fromEntries(Object.entries(layer).filter(([, value]) => value !== null && value !== undefined))
    : {};
