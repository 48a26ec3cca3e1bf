export { consumers } from "./automation.consumer.js";
export { automationRoutes as routes } from "./automation.routes.js";
export { schedules } from "./automation.schedules.js";
export { segment_use } from "./segment-use.js";
