import { loyaltyTierShelf } from "./loyalty-tier.shelf.js";

export { type LoyaltyTier, mappingOfReward, mappingOfRule } from "./loyalty-tier.js";
export { loyaltyTierRoutes as routes } from "./loyalty-tier.routes.js";
export { TierParams } from "./loyalty-tier.schemas.js";
export { knownTier, toTierBody } from "./loyalty-tier.service.js";
export { dropMappings, findTiersByIds, findTiersOfPrograms } from "./loyalty-tier.store.js";
export { type BeforeTiers, type CardEvent, consumersAfter } from "./memberships/membership.consumer.js";
export { night_steps } from "./memberships/membership.nights.js";
export { findTierIdsOf, findTiersOfCards } from "./memberships/membership.store.js";
export { type CardToMove, moveTiers } from "./memberships/move-tiers.js";
export { lookAtMembers } from "./walks/tier-walk.js";
export { works } from "./walks/tier-walk.works.js";
export { loyaltyTierShelf };

export const shelves = [loyaltyTierShelf];
