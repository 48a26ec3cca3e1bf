import { purge } from "../../../platform/db/purge.js";
import type { Schedule } from "../../../platform/jobs/schedules.js";
import { purgeAutomatic } from "./auto-redeem.store.js";

export { findDueCards } from "./auto-redeem.js";
export { night_steps } from "./auto-redeem.nights.js";
export { before_tiers } from "./before-tiers.js";

export const schedules: readonly Schedule[] = [purge("automatic redemptions", purgeAutomatic)];
