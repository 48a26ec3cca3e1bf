export { transferRoutes as routes } from "./transfer.routes.js";
