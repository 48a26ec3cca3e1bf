export {
  type AsyncActionType,
  type AsyncJob,
  CannotGoOn,
  type RunningAction,
  type Slice,
} from "./async-action.js";
export type { BulkError, BulkOutcome } from "./async-action.report.js";
export { asyncActionRoutes as routes } from "./async-action.routes.js";
export { schedules } from "./async-action.schedules.js";
export { AsyncActionStarted } from "./async-action.schemas.js";
export { bulkQueueKey, type NewAsyncAction, startAsyncAction } from "./async-action.service.js";
export { deleteInternal, findBeside, readItems, readResultRows } from "./async-action.store.js";
export {
  type BulkParameters,
  bulkError,
  bulkJob,
  metadataError,
  type NamedOutcome,
  startBulk,
} from "./bulk.js";
export { forgetInReports } from "./forget.store.js";
export {
  type PurgedObject,
  type PurgedTable,
  purge_types,
  purged_objects,
  purgeJob,
} from "./key-purge.js";
export { metadataKeysOf } from "./key-purge.store.js";
export { type AsyncRunner, createRunner } from "./runner.js";
