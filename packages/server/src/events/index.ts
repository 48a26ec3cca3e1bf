export { appendEvents, appendEventsOf } from "./append.js";
export { createDispatcher, type Dispatcher, type EventConsumer } from "./dispatcher.js";
export type { Cause, EventSource, EventType, NewEvent, StoredEvent } from "./event.js";
