import {
  type CollectionDirectory,
  type CollectionSource,
  compileCollection,
  createCollectionDirectory,
  type ProductCollection,
} from "@guerdon/engine";
import { shelf, shelfIndex } from "../../catalogue/index.js";
import { collectionTextsAfter, collectionTextsOfIds } from "./product-collection.store.js";

type Stored = [
  type: CollectionSource["type"],
  filter: CollectionSource["filter"],
  products: CollectionSource["products"],
];

/** Product collections, compiled. A filter that another version has stored and this one cannot read holds nothing. */
export const collectionShelf = shelf<Stored, ProductCollection>({
  kind: "product_collection",
  page: collectionTextsAfter,
  byIds: collectionTextsOfIds,
  compile(id, [type, filter, products], environment) {
    const compiled = compileCollection({ id, type, filter, products }, environment);
    return "collection" in compiled ? compiled.collection : null;
  },
});

export const shelves = [collectionShelf];

/** Finds the collections that hold a line without asking each. An entry's bytes are those of some ten members. */
export const collectionIndex = shelfIndex<ProductCollection, ProductCollection, CollectionDirectory>({
  over: collectionShelf,
  create: createCollectionDirectory,
  prepare: (collection) => collection,
  put: (directory, _id, collection) => directory.put(collection),
  remove: (directory, id) => directory.remove(id),
  entry_bytes: 3000,
});
