import { purge } from "../../platform/db/purge.js";
import type { Schedule } from "../../platform/jobs/schedules.js";
import { purgeExports } from "./export.store.js";

export const schedules: readonly Schedule[] = [purge("exported files", purgeExports)];
