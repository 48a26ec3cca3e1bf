export type { CustomEventSchema } from "./custom-event-schema.js";
export { customEventSchemaRoutes as routes } from "./custom-event-schema.routes.js";
export { knownCustomEventSchema } from "./custom-event-schema.service.js";
export { findCustomEventSchemaByName, findCustomEventSchemas } from "./custom-event-schema.store.js";
export { assertEventMetadata } from "./event-metadata.js";
