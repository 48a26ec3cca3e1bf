export { productCollectionRoutes } from "./product-collection.routes.js";
export { findCollections, findCollectionsByIds } from "./product-collection.store.js";
