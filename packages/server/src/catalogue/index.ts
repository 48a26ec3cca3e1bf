export {
  type Catalogue,
  type CatalogueCampaign,
  type CatalogueTier,
  campaignFacts,
  categoryFacts,
} from "./catalogue.js";
export { type Catalogues, createCatalogues } from "./catalogues.js";
export type { CustomerSegment } from "./customer-segment.js";
