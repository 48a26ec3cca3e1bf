export { type Category, toCategoryBody } from "./category.js";
export { categoryRoutes as routes } from "./category.routes.js";
export { CategoryBody, category_naming } from "./category.schemas.js";
export { type CategoryNaming, resolveCategories } from "./category.service.js";
export { categoryFacts, categoryShelf, shelves } from "./category.shelf.js";
export { findCategories, findCategoriesByIds } from "./category.store.js";
