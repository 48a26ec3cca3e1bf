export type { EarningRule } from "./earning-rule.js";
export { earningRuleRoutes as routes } from "./earning-rule.routes.js";
export { lockAskedRule, toEarningRuleBody } from "./earning-rule.service.js";
export { findActiveRules, findEarningRulesByIds } from "./earning-rule.store.js";
export { pointsSourceOf } from "./loyalty.js";
export { any_tier, kindOf } from "./triggers.js";
