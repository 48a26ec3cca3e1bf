export { systemRoutes as routes } from "./system.routes.js";
