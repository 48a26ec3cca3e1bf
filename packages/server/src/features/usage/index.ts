export { openUsage, type Usage } from "./open-usage.js";
export { schedules } from "./usage.schedules.js";
