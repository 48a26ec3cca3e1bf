export { exportJob } from "./export.jobs.js";
export { exportRoutes } from "./export.routes.js";
export { schedules } from "./export.schedules.js";
export { ExportBody, ExportOfOne, type ExportSent } from "./export.schemas.js";
export { startExport } from "./export.service.js";
export { forgetFiles } from "./export.store.js";
export {
  always,
  asItIs,
  type ExportedObject,
  type ExportField,
  type ExportProject,
  type ExportRows,
  type JudgedFilters,
  json,
  moment,
  money,
  moneyCell,
} from "./exported-object.js";
