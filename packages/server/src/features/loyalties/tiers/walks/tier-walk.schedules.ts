import type { Schedule } from "../../../../platform/jobs/schedules.js";
import { walking } from "../../../../walks/index.js";
import { looking, lookingAnew } from "./tier-walk.js";

export const schedules: readonly Schedule[] = [walking(looking), walking(lookingAnew)];
