export { roleRoutes as routes } from "./role.routes.js";
