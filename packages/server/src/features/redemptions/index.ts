export { redemptionRoutes } from "./redemption.routes.js";
export { rollbackRoutes } from "./rollback.routes.js";
