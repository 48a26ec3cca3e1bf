export { stackingRulesRoutes as routes } from "./stacking-rules.routes.js";
