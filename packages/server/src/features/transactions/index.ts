export { movedEvent } from "./transaction.events.js";
export { toTransactionBody } from "./transaction.render.js";
export { transactionRoutes as routes } from "./transaction.routes.js";
export type { TransactionBody } from "./transaction.schemas.js";
