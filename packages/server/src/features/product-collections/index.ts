export { productCollectionRoutes } from "./product-collection.routes.js";
export { collectionShelf } from "./product-collection.shelf.js";
