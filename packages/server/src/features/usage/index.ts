export { openUsage, type Usage } from "./open-usage.js";
export { takeCall, tellOfTaken } from "./take-call.js";
export { schedules } from "./usage.schedules.js";
