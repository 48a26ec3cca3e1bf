export type { CustomEventData } from "./custom-event.js";
export { customEventRoutes as routes } from "./custom-event.routes.js";
