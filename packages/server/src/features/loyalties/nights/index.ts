export { consumers } from "./night.consumers.js";
export type { Night, NightSlice, NightStep } from "./night.js";
export { nightSchedule } from "./night.schedules.js";
