export { appendEvents, appendEventsOf } from "./append.js";
export type { Consumer, Left, Turn } from "./consumer.js";
export { createDispatcher, type Dispatcher } from "./dispatcher.js";
export { deleteEventsOf } from "./erasure.store.js";
export type { Cause, EventSource, EventType, NewEvent, StoredEvent } from "./event.js";
export { preparePartitions, schedules } from "./event-partitions.js";
export { inboxWork } from "./inbox.js";
