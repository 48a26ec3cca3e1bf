export { type Consumer, consumerOf, type Left, type Turn } from "./dispatch/consumer.js";
export { createDispatcher, type Dispatcher } from "./dispatch/dispatcher.js";
export { inboxWork } from "./dispatch/inbox.js";
export { deleteEventsOf } from "./erasure.store.js";
export type { Cause, EventSource, EventType, NewEvent } from "./event.js";
export { prepareEvents, schedules } from "./event-partitions.js";
export type { EventName, ToldEvent } from "./twins.js";
