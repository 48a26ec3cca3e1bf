export { openRefusalLog, type RefusalLog } from "./open-refusal-log.js";
export { openValidationLog, type ValidationLog } from "./open-validation-log.js";
export { type ExplainedRefusal, kept_chars_max } from "./refusal-log.js";
export { deleteRefusalsOf, findLastRefusal } from "./refusal-log.store.js";
export { validation_types } from "./validation-log.events.js";
export type { LoggedValidation, Verdict } from "./validation-log.js";
export { schedules } from "./validation-log.schedules.js";
export {
  countValidationsOf,
  deleteValidationsOf,
  findValidationOf,
  listValidations,
  listValidationsOf,
  type OfCustomer,
} from "./validation-log.store.js";
