import { purge } from "../platform/purge.js";
import type { Schedule } from "../platform/schedules.js";
import { purgeEdits } from "./edits.store.js";

export const schedules: readonly Schedule[] = [purge("old edits", purgeEdits)];
