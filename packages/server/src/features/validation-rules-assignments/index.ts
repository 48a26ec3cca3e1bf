export { assignmentRoutes as routes } from "./assignment.routes.js";
