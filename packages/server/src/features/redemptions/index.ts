export { redemptionRoutes as routes } from "./redemption.routes.js";
