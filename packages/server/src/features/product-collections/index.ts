export { productCollectionRoutes as routes } from "./product-collection.routes.js";
export { collectionIndex, collectionShelf, shelves } from "./product-collection.shelf.js";
