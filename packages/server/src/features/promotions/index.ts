export {
  readWindow,
  toWindowBody,
  type WindowInput,
  window_body,
  window_input,
  windowColumns,
  windowOf,
} from "./activity-window.js";
export {
  assertUnitsExist,
  DiscountBody,
  DiscountInput,
  readDiscount,
  toDiscountBody,
  unitTypesOf,
} from "./discount.js";
export { faultProblem, invalid } from "./refusals.js";
export type { PromotionTier, TierCampaign, TierSummary } from "./tier.js";
export {
  TierBody,
  TierInput,
} from "./tier.schemas.js";
export { newTiers, toTierBody } from "./tier.service.js";
export {
  deleteTiersOfCampaign,
  findTiersByIds,
  findTiersOfCampaigns,
  insertTiers,
  summariesOfTiers,
} from "./tier.store.js";
