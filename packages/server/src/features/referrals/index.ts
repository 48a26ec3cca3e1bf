export { holderRoutes as routes } from "./holders/holder.routes.js";
