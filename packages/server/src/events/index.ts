export { type Consumer, consumerOf, type Left, type Turn } from "./dispatch/consumer.js";
export { createDispatcher, type Dispatcher } from "./dispatch/dispatcher.js";
export { inboxWork, isAway } from "./dispatch/inbox.js";
export { olderOutboxWork } from "./dispatch/older-outbox.js";
export { countEventsOf, deleteEventsOf, dropEventsOf } from "./erasure.store.js";
export type { BriefEvent, Cause, Envelope, EventData, EventSource, EventType, NewEvent, StoredEvent } from "./event.js";
export { event_fields, findEvents } from "./event.store.js";
export { prepareEvents, schedules } from "./event-partitions.js";
export { type EventName, factsToldAs, idUnder, type NameOf, type ToldEvent, toldAs } from "./twins.js";
