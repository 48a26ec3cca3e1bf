export {
  readWindow,
  toWindowBody,
  type WindowInput,
  windowColumns,
  windowOf,
  window_body,
  window_input,
} from "./activity-window.js";
export { DiscountBody, DiscountInput, readDiscount, toDiscountBody } from "./discount.js";
export { faultProblem, invalid } from "./refusals.js";
export { type RuleAssignments as RuleAssignmentsBody, noRuleAssignments, RuleAssignments, TierBody, TierInput } from "./tier.schemas.js";
export { newTiers, toTierBody } from "./tier.service.js";
export type { PromotionTier, TierCampaign, TierSummary } from "./tier.js";
export { deleteTiersOfCampaign, findTiers, findTiersByIds, findTiersOfCampaigns, insertTiers, summariesOfTiers } from "./tier.store.js";
