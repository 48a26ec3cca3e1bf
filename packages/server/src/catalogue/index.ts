export { Catalogue, type CatalogueParts, type ProjectSettings } from "./catalogue.js";
export { type CatalogueOptions, type Catalogues, createCatalogues } from "./catalogues.js";
export { budgetOf, type CatalogueBudget, type Claim, defaultBudget } from "./memory/budget.js";
export { type Shelf, type ShelfEnvironment, type ShelfRow, shelf } from "./shelf.js";
export { type ShelfIndex, shelfIndex } from "./shelf-index.js";
export type { ShelfView } from "./shelf-view.js";
