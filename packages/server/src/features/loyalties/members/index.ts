export { memberRoutes as routes } from "./member.routes.js";
