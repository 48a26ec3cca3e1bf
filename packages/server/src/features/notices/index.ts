export { type Notice, notice_kinds } from "./notice.js";
export { schedules } from "./notice.schedules.js";
export { listNotices } from "./notice.store.js";
export { notify } from "./notify.js";
