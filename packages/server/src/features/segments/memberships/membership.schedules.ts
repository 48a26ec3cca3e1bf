import type { Schedule } from "../../../platform/jobs/schedules.js";
import { walking } from "../../../walks/index.js";
import { memberships } from "./walk.js";

export const schedules: readonly Schedule[] = [walking(memberships)];
