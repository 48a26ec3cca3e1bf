export { type Moved, movedEvent } from "./transaction.events.js";
export { exported } from "./transaction.export.js";
export { toTransactionBody } from "./transaction.render.js";
export { transactionRoutes as routes } from "./transaction.routes.js";
export type { TransactionBody } from "./transaction.schemas.js";
export { transactionExportRoutes as exportRoutes } from "./transaction-export.routes.js";
