export { consumers } from "./accrual.jobs.js";
export { earningRuleRoutes as routes } from "./earning-rule.routes.js";
export { toEarningRuleBody } from "./earning-rule.service.js";
export { findEarningRulesByIds } from "./earning-rule.store.js";
