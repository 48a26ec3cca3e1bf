export { programRewardRoutes as routes } from "./program-reward.routes.js";
