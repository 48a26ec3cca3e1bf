import { oncePer } from "../kept-on.js";
import type { OrderLine } from "../orders/order.js";
import type { Work } from "../work.js";
import type { ItemRef } from "./contract.js";

type InCollection = (collection_id: string, line: OrderLine) => boolean;

/** Whether a line is the named product, SKU or member of the collection (rules.md §6.1). */
export function isNamed(item: ItemRef, line: OrderLine, in_collection: InCollection): boolean {
  if (item.matches !== undefined) return item.matches(line);
  switch (item.object) {
    case "sku":
      return same(item.id, line.sku_id) || same(item.source_id, line.sku_source_id);
    case "product":
      if (item.strict && (line.sku_id ?? line.sku_source_id) !== null) return false;
      return same(item.id, line.product_id) || same(item.source_id, line.product_source_id);
    case "products_collection":
      return item.id !== null && in_collection(item.id, line);
  }
}

const same = (wanted: string | null, found: string | null) => wanted !== null && wanted === found;

/** Who names lines: what it is, by id or source id, and where it stood. */
type Postings = Map<string, number>;

/** A few are walked: a line is compared with each in less than it takes to look one up. */
const walked_max = 8;

/** Asking a collection, as a lookup of it and a filter of its own. */
const work_of_collection = 10;

/**
 * Products, SKUs and collections that stand for the lines they name (rules.md §6.1). Thousands of ids against 500 lines took
 * a second one by one; looked up they take as long as a few. What names lines in another way is still asked in turn.
 */
export class NamedItems<Item extends ItemRef> {
  private readonly skus: Postings = new Map();
  private readonly products: Postings = new Map();
  /** Products that do not stand for the lines of their SKUs. */
  private readonly strict: Postings = new Map();
  private readonly in_turn: number[] = [];
  private readonly is_walked: boolean;

  constructor(readonly items: readonly Item[]) {
    this.is_walked = items.length <= walked_max;
    if (!this.is_walked) for (const [i, item] of items.entries()) this.post(item, i);
  }

  /** Whether one of them names the line. */
  names(line: OrderLine, in_collection: InCollection, work: Work | undefined): boolean {
    return this.closest(line, in_collection, work) !== null;
  }

  /** The item that names a line most closely: a SKU before a product before a collection, then the first. */
  closest(line: OrderLine, in_collection: InCollection, work: Work | undefined): Item | null {
    if (this.is_walked) return this.walked(line, in_collection, work);
    work?.spend(4 + work_of_collection * this.in_turn.length);
    const asked = this.in_turn.filter((i) => isNamed(this.items[i] as Item, line, in_collection));
    const of_kind = (object: ItemRef["object"]) => asked.find((i) => this.items[i]?.object === object);
    const is_sku = (line.sku_id ?? line.sku_source_id) !== null;
    const { product_id, product_source_id } = line;
    const found =
      first(of_kind("sku"), at(this.skus, line.sku_id, line.sku_source_id)) ??
      first(
        of_kind("product"),
        at(this.products, product_id, product_source_id),
        is_sku ? undefined : at(this.strict, product_id, product_source_id),
      ) ??
      of_kind("products_collection");
    return found === undefined ? null : (this.items[found] as Item);
  }

  private walked(line: OrderLine, in_collection: InCollection, work: Work | undefined): Item | null {
    let closest: Item | null = null;
    for (const item of this.items) {
      if (closest !== null && closeness[item.object] >= closeness[closest.object]) continue;
      work?.spend(item.object === "products_collection" ? work_of_collection : 1);
      if (isNamed(item, line, in_collection)) closest = item;
    }
    return closest;
  }

  private post(item: Item, i: number): void {
    if (item.matches !== undefined || item.object === "products_collection") {
      this.in_turn.push(i);
      return;
    }
    const postings = item.object === "sku" ? this.skus : item.strict ? this.strict : this.products;
    for (const name of namesOf(item)) if (!postings.has(name)) postings.set(name, i);
  }
}

// A discount asks anew each time what its rule has included.
const known = oncePer((items: readonly ItemRef[]) => new NamedItems(items));

export const namedItems = <Item extends ItemRef>(items: readonly Item[]) => known(items) as NamedItems<Item>;

const closeness = { sku: 0, product: 1, products_collection: 2 };

// A source id may read like somebody else's id.
const namesOf = ({ id, source_id }: ItemRef) => [
  ...(id === null ? [] : [`id ${id}`]),
  ...(source_id === null ? [] : [`source_id ${source_id}`]),
];

const at = (postings: Postings, id: string | null, source_id: string | null) =>
  first(
    id === null ? undefined : postings.get(`id ${id}`),
    source_id === null ? undefined : postings.get(`source_id ${source_id}`),
  );

function first(...places: readonly (number | undefined)[]): number | undefined {
  let lowest: number | undefined;
  for (const place of places) {
    if (place !== undefined && (lowest === undefined || place < lowest)) lowest = place;
  }
  return lowest;
}
