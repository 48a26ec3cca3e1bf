export { locationRoutes } from "./location.routes.js";
