export { consumers } from "./accrual.jobs.js";
export { earningRuleRoutes as routes } from "./earning-rule.routes.js";
