export { movedEvent } from "./transaction.events.js";
export { transactionRoutes as routes } from "./transaction.routes.js";
