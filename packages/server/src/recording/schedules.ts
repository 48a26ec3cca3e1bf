import { purge } from "../platform/db/purge.js";
import type { Schedule } from "../platform/jobs/schedules.js";
import { purgeEdits } from "./edits.store.js";

export const schedules: readonly Schedule[] = [purge("old edits", purgeEdits)];
