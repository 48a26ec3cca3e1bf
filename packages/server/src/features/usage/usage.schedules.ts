import { purge } from "../../platform/db/purge.js";
import type { Schedule } from "../../platform/jobs/schedules.js";
import { deleteEndedCounts } from "./usage.store.js";

export const schedules: readonly Schedule[] = [purge("ended call counts", deleteEndedCounts)];
