export { memberRoutes } from "./member.routes.js";
