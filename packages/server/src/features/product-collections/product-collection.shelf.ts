import { type CollectionSource, compileCollection, type ProductCollection } from "@guerdon/engine";
import { shelf } from "../../catalogue/index.js";
import { findCollectionTexts, findCollectionTextsByIds } from "./product-collection.store.js";

type Stored = [
  type: CollectionSource["type"],
  filter: CollectionSource["filter"],
  products: CollectionSource["products"],
];

/** Product collections, compiled. A filter that another version has stored and this one cannot read holds nothing. */
export const collectionShelf = shelf<Stored, ProductCollection>({
  kind: "product_collection",
  page: findCollectionTexts,
  byIds: findCollectionTextsByIds,
  compile(id, [type, filter, products]) {
    const compiled = compileCollection({ id, type, filter, products });
    return "collection" in compiled ? compiled.collection : null;
  },
});

export const shelves = [collectionShelf];
