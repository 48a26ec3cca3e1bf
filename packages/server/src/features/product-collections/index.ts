export type { CollectionWithMembers } from "./product-collection.js";
export { productCollectionRoutes as routes } from "./product-collection.routes.js";
export { makeCollection } from "./product-collection.service.js";
export { collectionIndex, collectionShelf, shelves } from "./product-collection.shelf.js";
export { findCollectionsByIds } from "./product-collection.store.js";
