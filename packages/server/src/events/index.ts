export { type Consumer, consumerOf, type Left, type Turn } from "./consumer.js";
export { createDispatcher, type Dispatcher } from "./dispatcher.js";
export { deleteEventsOf } from "./erasure.store.js";
export type { Cause, EventSource, EventType, NewEvent } from "./event.js";
export { preparePartitions, schedules } from "./event-partitions.js";
export { inboxWork } from "./inbox.js";
export type { EventName, ToldEvent } from "./twins.js";
