export { validationRoutes } from "./validation.routes.js";
