export type { CustomEventData } from "./custom-event.js";
export { customEventRoutes } from "./custom-event.routes.js";
