import { purge } from "../../../platform/db/purge.js";
import type { Schedule } from "../../../platform/jobs/schedules.js";
import { purgeSteps } from "./step.store.js";

export const schedules: readonly Schedule[] = [purge("steps of automations", purgeSteps)];
