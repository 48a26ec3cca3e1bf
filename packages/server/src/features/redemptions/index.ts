export { redemptionRoutes } from "./redemption.routes.js";
