import { purge } from "../../platform/db/purge.js";
import type { Schedule } from "../../platform/jobs/schedules.js";
import { deleteOldNotices } from "./notice.store.js";

export const schedules: readonly Schedule[] = [purge("notices", deleteOldNotices)];
