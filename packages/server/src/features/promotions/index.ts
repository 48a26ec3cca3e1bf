export type { PromotionTier, TierCampaign, TierSummary } from "./tier.js";
export {
  TierBody,
  TierInput,
} from "./tier.schemas.js";
export { newTiers, toTierBody } from "./tier.service.js";
export { type CatalogueTier, shelves, tierShelf } from "./tier.shelf.js";
export {
  findTiersByIds,
  findTiersOfCampaigns,
  insertTiers,
  summariesOfTiers,
} from "./tier.store.js";
