import { type CatalogueParts, type Catalogues, createCatalogues } from "./catalogue/index.js";
import { campaignShelf } from "./features/campaigns/index.js";
import { categoryShelf } from "./features/categories/index.js";
import { collectionShelf } from "./features/product-collections/index.js";
import { projectSettings } from "./features/projects/index.js";
import { tierShelf } from "./features/promotions/index.js";
import { segmentShelf } from "./features/segments/index.js";
import { ruleShelf } from "./features/validation-rules/index.js";

/** What decisions look at and what changes slowly, those first that most projects have most of. */
export const catalogueParts: CatalogueParts = {
  settings: projectSettings,
  shelves: [ruleShelf, tierShelf, campaignShelf, collectionShelf, segmentShelf, categoryShelf],
};

/** The catalogues of this process, for the API and the worker alike. */
export const openCatalogues = (): Catalogues => createCatalogues(catalogueParts);
