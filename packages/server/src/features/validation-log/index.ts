export { openValidationLog, type ValidationLog } from "./open-validation-log.js";
export { validation_types } from "./validation-log.events.js";
export type { LoggedValidation, Verdict } from "./validation-log.js";
export { schedules } from "./validation-log.schedules.js";
export {
  countValidationsOf,
  deleteValidationsOf,
  findValidationOf,
  listValidationsOf,
  type OfCustomer,
} from "./validation-log.store.js";
