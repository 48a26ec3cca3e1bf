export { consumers } from "./accrual.jobs.js";
export { estimateRoutes as routes } from "./estimate.js";
export { readOrdersAsTheyWere } from "./occasions.js";
