export { clientSideRoutes as routes } from "./client-side.routes.js";
