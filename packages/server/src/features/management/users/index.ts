export { userRoutes as routes } from "./user.routes.js";
