import type { OrderLine } from "../../orders/order.js";
import type { ProductCollection } from "./collections.js";

/** The collections of a project, found by the lines they hold without asking each listed one. */
export interface CollectionDirectory {
  put(collection: ProductCollection): void;
  remove(id: string): void;
  /** Those that a filter decides about. */
  filtered(): Iterable<ProductCollection>;
  /**
   * Ids of the collections that hold at least one of the lines.
   * @param holdsSome of a filtered one, which takes as long as its filter is; the caller knows who may wait for it
   */
  holding(lines: readonly OrderLine[], holdsSome: (collection: ProductCollection) => boolean): Set<string>;
}

type Postings = Map<string, Set<string>>;

export function createCollectionDirectory(): CollectionDirectory {
  const collections = new Map<string, ProductCollection>();
  const filtered = new Map<string, ProductCollection>();
  const by_product: Postings = new Map();
  const by_sku: Postings = new Map();

  const remove = (id: string) => {
    const { members } = collections.get(id) ?? {};
    for (const product of members?.products ?? []) withdraw(by_product, product, id);
    for (const sku of members?.skus ?? []) withdraw(by_sku, sku, id);
    collections.delete(id);
    filtered.delete(id);
  };

  return {
    put(collection) {
      remove(collection.id);
      const { id, members } = collection;
      collections.set(id, collection);
      if (members === null) filtered.set(id, collection);
      for (const product of members?.products ?? []) post(by_product, product, id);
      for (const sku of members?.skus ?? []) post(by_sku, sku, id);
    },
    remove,
    filtered: () => filtered.values(),
    holding(lines, holdsSome) {
      const found = new Set<string>();
      for (const { product_id, sku_id } of lines) {
        for (const id of by_product.get(product_id ?? "") ?? []) found.add(id);
        for (const id of by_sku.get(sku_id ?? "") ?? []) found.add(id);
      }
      for (const [id, collection] of filtered) if (holdsSome(collection)) found.add(id);
      return found;
    },
  };
}

function post(postings: Postings, key: string, id: string) {
  const ids = postings.get(key);
  if (ids === undefined) postings.set(key, new Set([id]));
  else ids.add(id);
}

function withdraw(postings: Postings, key: string, id: string) {
  const ids = postings.get(key);
  ids?.delete(id);
  if (ids?.size === 0) postings.delete(key);
}
