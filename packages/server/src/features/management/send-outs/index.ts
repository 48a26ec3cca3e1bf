export { works } from "./delivery.js";
export { type Addressed, envelopeOf } from "./envelope.js";
export { consumers } from "./send-out.consumer.js";
export { newSendOutId, send_outs_bell } from "./send-out.js";
export { sendOutRoutes as routes } from "./send-out.routes.js";
export { schedules } from "./send-out.schedules.js";
export { dropUnwrittenOf, forgetSendOutsOf, insertSendOuts } from "./send-out.store.js";
