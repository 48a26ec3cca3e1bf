import type { Schedule } from "../../../platform/jobs/schedules.js";
import { walking } from "../../../walks/index.js";
import type { NightStep } from "./night.js";
import { nightsOf } from "./walk.js";

/** What is done to cards at midnight, made of the steps that features bring. */
export const nightSchedule = (steps: readonly NightStep[]): Schedule => walking(nightsOf(steps));
