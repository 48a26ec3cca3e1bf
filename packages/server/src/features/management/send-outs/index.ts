export { works } from "./delivery.js";
export { consumers } from "./send-out.consumer.js";
export { schedules } from "./send-out.schedules.js";
export { deleteSendOutsOf } from "./send-out.store.js";
