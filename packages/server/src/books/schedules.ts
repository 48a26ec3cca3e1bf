import { purge } from "../platform/purge.js";
import type { Schedule } from "../platform/schedules.js";
import { purgeSessions } from "./sessions.store.js";

export const schedules: readonly Schedule[] = [purge("expired sessions", purgeSessions)];
