export { cleanPages, schedules } from "./code-page.schedules.js";
export { type CodeSearch, searchCodes } from "./search.js";
