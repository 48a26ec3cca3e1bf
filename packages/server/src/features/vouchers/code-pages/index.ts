export { cleanPages, schedules } from "./code-page.schedules.js";
export type { Nearest } from "./nearest.js";
export { type Alone, type CodeSearch, searchCodes } from "./search.js";
