export { webhookRoutes as routes } from "./webhook.routes.js";
