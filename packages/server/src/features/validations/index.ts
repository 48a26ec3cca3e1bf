export { validationRoutes as routes } from "./validation.routes.js";
