export type { CustomEventData } from "./custom-event.js";
export { customEventRoutes as routes } from "./custom-event.routes.js";
export { CustomEventBody, CustomEventInput } from "./custom-event.schemas.js";
export { recordCustomEvent } from "./custom-event.service.js";
