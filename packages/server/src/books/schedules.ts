import { purge } from "../platform/db/purge.js";
import type { Schedule } from "../platform/jobs/schedules.js";
import { purgeSessions } from "./sessions.store.js";

export const schedules: readonly Schedule[] = [purge("expired sessions", purgeSessions)];
