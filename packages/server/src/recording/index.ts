export { type Batcher, createBatcher, type Deferred } from "./batch.js";
export { type Change, change, changeWithin } from "./change.js";
export {
  deleteVersion,
  type EditedObject,
  findEdits,
  insertVersion,
  readVersion,
} from "./edits.store.js";
export { type Part, part } from "./part.js";
export { schedules } from "./schedules.js";
export { holding, type Reading, readUnderKeys, underKeys } from "./under-keys.js";
