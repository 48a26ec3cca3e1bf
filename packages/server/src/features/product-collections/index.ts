export { productCollectionRoutes as routes } from "./product-collection.routes.js";
export { collectionShelf, shelves } from "./product-collection.shelf.js";
