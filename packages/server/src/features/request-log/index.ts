export { logRequests } from "./open-request-log.js";
export { exported } from "./request-log.export.js";
export { schedules } from "./request-log.schedules.js";
export { findRequest, forgetRequestsAbout, listRequests, type RequestLine } from "./request-log.store.js";
