export { transactionRoutes as routes } from "./transaction.routes.js";
