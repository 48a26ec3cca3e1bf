export { type Cells, Unreadable } from "./cells.js";
export { importJob } from "./import.job.js";
export type { CsvShape, ImportKind, ImportTurn, RowOutcome } from "./import.js";
export { schedules } from "./import.schedules.js";
export { importFile, importRows } from "./import.service.js";
export { CsvForm, consumed, keepingFile } from "./upload.js";
