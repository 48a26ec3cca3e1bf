export { appendEvents, appendEventsOf } from "./append.js";
export type { Cause, EventSource, EventType, NewEvent } from "./event.js";
