import { purge } from "../../platform/db/purge.js";
import type { Schedule } from "../../platform/jobs/schedules.js";
import { purgeTokens } from "./oauth.store.js";

export const schedules: readonly Schedule[] = [purge("expired tokens", purgeTokens)];
