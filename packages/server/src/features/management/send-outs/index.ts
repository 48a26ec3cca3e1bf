export { works } from "./delivery.js";
export { consumers } from "./send-out.consumer.js";
export { sendOutRoutes as routes } from "./send-out.routes.js";
export { schedules } from "./send-out.schedules.js";
export { deleteSendOutsOf } from "./send-out.store.js";
