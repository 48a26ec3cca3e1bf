import { purge } from "../../platform/db/purge.js";
import type { Schedule } from "../../platform/jobs/schedules.js";
import { purgePieces } from "./import.store.js";

export const schedules: readonly Schedule[] = [purge("rows of abandoned imports", purgePieces)];
