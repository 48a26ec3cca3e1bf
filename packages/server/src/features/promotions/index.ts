import { stackShelf } from "./stack.shelf.js";
import { tierShelf } from "./tier.shelf.js";

export type { PromotionStack } from "./stack.js";
export { StackBody, StackInput, StackList, StackParams, StackQuery, StackUpdate } from "./stack.schemas.js";
export { type CatalogueStack, stackShelf } from "./stack.shelf.js";
export {
  deleteStacks,
  findStack,
  findStacksByIds,
  findStacksOfCampaign,
  insertStack,
  listStacks,
  updateStacks,
} from "./stack.store.js";
export type { PromotionTier, TierCampaign } from "./tier.js";
export { TierBody, TierInput, TierList, TierParams, TierQuery, TierUpdate } from "./tier.schemas.js";
export { changedTier, newTiers, placed, rulesNamed } from "./tier.service.js";
export { type CatalogueTier, tierShelf } from "./tier.shelf.js";
export {
  deleteTier,
  findTier,
  findTierIds,
  findTiersByIds,
  findTiersOfCampaigns,
  insertTiers,
  listTiers,
  tierFilterable,
  updateTiers,
} from "./tier.store.js";
export { tierBodies } from "./tier-bodies.js";

export const shelves = [tierShelf, stackShelf];
