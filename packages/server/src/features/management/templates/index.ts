export { managedTemplateRoutes as routes } from "./template.routes.js";
