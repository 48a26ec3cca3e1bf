export { assignmentRoutes } from "./assignment.routes.js";
