export { createRedeemer } from "./redemption.record.js";
export { redemptionRoutes } from "./redemption.routes.js";
export { rollbackRoutes } from "./rollback.routes.js";
