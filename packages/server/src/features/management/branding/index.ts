export { brandRoutes as routes } from "./brand.routes.js";
