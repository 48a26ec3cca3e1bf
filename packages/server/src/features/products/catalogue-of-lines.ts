import type { OrderLineInput, ProductFacts, SkuFacts, UnitObject } from "@guerdon/engine";
import type { Queries } from "../../platform/db/database.js";
import { findProductFacts, findSkuFacts } from "./catalogue-of-lines.store.js";
import { isShipping, shipping } from "./product.js";

/** How a line of an order names what it sells (discounts.md §2). */
export type NamingLine = Pick<OrderLineInput, "source_id" | "related_object" | "product_id" | "sku_id"> & {
  product?: Pick<ProductFacts, "id" | "source_id"> | null;
  sku?: Pick<SkuFacts, "id" | "source_id"> | null;
};

/** What the catalogue knows of the products and SKUs that some lines or unit discounts name. */
export interface CatalogueOfLines {
  /** The line over what the catalogue knows of it; as it is where that is nothing. */
  under<Line extends NamingLine>(line: Line): Line & Pick<OrderLineInput, "catalogue_product" | "catalogue_sku">;
  /** What a UNIT discount gives away: a product, else a SKU, by id or source id. */
  unit(unit_type: string): UnitObject | undefined;
}

/** Reads what the lines and units name, in at most two statements sent together; in none when they name nothing. */
export async function catalogueOf(
  db: Queries,
  project_id: string,
  lines: readonly NamingLine[],
  unit_types: readonly string[] = [],
): Promise<CatalogueOfLines> {
  const product_names = distinct([...lines.flatMap(productNames), ...unit_types]);
  const sku_names = distinct([...lines.flatMap(skuNames), ...unit_types.filter((name) => !isShipping(name))]);
  const [products, skus] = await Promise.all([
    product_names.length === 0 ? [] : findProductFacts(db, project_id, product_names),
    sku_names.length === 0 ? [] : findSkuFacts(db, project_id, sku_names),
  ]);
  return indexed(
    products.map(({ product }) => product),
    skus,
  );
}

function indexed(
  products: readonly ProductFacts[],
  skus: readonly { product: ProductFacts; sku: SkuFacts }[],
): CatalogueOfLines {
  const productNamed = byName([{ ...shipping, price: null, metadata: {} }, ...products], (product) => product);
  const skuNamed = byName(skus, ({ sku }) => sku);
  return {
    under(line) {
      const known = firstOf(skuNames(line), skuNamed);
      if (known) return { ...line, catalogue_product: known.product, catalogue_sku: known.sku };
      const product = firstOf(productNames(line), productNamed);
      return product ? { ...line, catalogue_product: product } : line;
    },
    unit(unit_type) {
      const product = productNamed(unit_type);
      return product ? { product, sku: null } : skuNamed(unit_type);
    },
  };
}

/** By id, else by source id: an id wins where one text is both. */
function byName<Found>(all: readonly Found[], facts: (found: Found) => ProductFacts) {
  const ids = new Map(all.map((found) => [facts(found).id, found]));
  const source_ids = new Map(all.map((found) => [facts(found).source_id, found]));
  return (name: string) => ids.get(name) ?? source_ids.get(name);
}

function firstOf<Found>(names: readonly string[], find: (name: string) => Found | undefined): Found | undefined {
  for (const name of names) {
    const found = find(name);
    if (found) return found;
  }
  return undefined;
}

function skuNames({ sku_id, related_object, source_id, sku }: NamingLine): string[] {
  return texts([sku_id, related_object === "sku" ? source_id : null, sku?.id, sku?.source_id]);
}

function productNames({ product_id, related_object, source_id, product }: NamingLine): string[] {
  return texts([product_id, related_object === "sku" ? null : source_id, product?.id, product?.source_id]);
}

function texts(names: readonly (string | null | undefined)[]): string[] {
  const said: string[] = [];
  // A loop, since each line of each request runs through here several times.
  for (const name of names) if (name) said.push(name);
  return said;
}

const distinct = (names: readonly string[]) => [...new Set(names)];

/** Of no line and no unit. */
export const no_lines = indexed([], []);
