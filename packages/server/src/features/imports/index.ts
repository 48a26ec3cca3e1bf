export { type Cells, Unreadable } from "./cells.js";
export { addCsvImport } from "./csv.route.js";
export { importJob } from "./import.job.js";
export type { CsvShape, ImportKind, ImportTurn, RowOutcome, UnreadRow } from "./import.js";
export { schedules } from "./import.schedules.js";
export { importRows } from "./import.service.js";
export { readingFirst } from "./reading-first.js";
export { CsvForm } from "./upload.js";
