export { consumers } from "./accrual.jobs.js";
export { earningRuleRoutes } from "./earning-rule.routes.js";
