import { purge } from "../../platform/purge.js";
import type { Schedule } from "../../platform/schedules.js";
import { purgeTokens } from "./oauth.store.js";

export const schedules: readonly Schedule[] = [purge("expired tokens", purgeTokens)];
