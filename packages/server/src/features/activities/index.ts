export { activityRoutes as routes } from "./activity.routes.js";
