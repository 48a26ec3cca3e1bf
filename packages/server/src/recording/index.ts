export { type Batcher, createBatcher, type Deferred } from "./batch.js";
export { type Change, change, changeTogether, changeWithin } from "./change.js";
export {
  deleteVersion,
  type EditedObject,
  findEdits,
  insertVersion,
  readVersion,
} from "./edits.store.js";
export { honourKeys, isKeyed, type KeyOwner } from "./idempotency/door.js";
export { forgetAnswersAbout } from "./idempotency/kept-answers.store.js";
export type { Keyed } from "./idempotency/keyed.js";
export { InUse } from "./in-use.js";
export { bodyOf, type Outcome, type Render, type RenderEach, type Requested } from "./outcome.js";
export { type Part, part } from "./part.js";
export { prepareKeptAnswers, schedules } from "./schedules.js";
export { holding, type Reading, readUnderKeys, underKeys } from "./under-keys.js";
