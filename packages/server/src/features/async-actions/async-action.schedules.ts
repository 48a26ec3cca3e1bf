import { purge } from "../../platform/db/purge.js";
import type { Schedule } from "../../platform/jobs/schedules.js";
import { purgeResults } from "./results.store.js";

export const schedules: readonly Schedule[] = [purge("results of asynchronous actions", purgeResults)];
