import { purge } from "../../platform/purge.js";
import type { Schedule } from "../../platform/schedules.js";
import { purgeResults } from "./results.store.js";

export const schedules: readonly Schedule[] = [purge("results of asynchronous actions", purgeResults)];
