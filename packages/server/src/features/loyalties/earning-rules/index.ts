export { createEarningWorker, type EarningWorker, earningConsumer } from "./accrual.jobs.js";
export { earningRuleRoutes } from "./earning-rule.routes.js";
