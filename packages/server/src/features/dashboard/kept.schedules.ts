import { purge } from "../../platform/db/purge.js";
import type { Schedule } from "../../platform/jobs/schedules.js";
import { kept, keptSince } from "./kept.js";
import { deleteOldKept } from "./kept.store.js";

/** What nobody has gone on with for as long as it is kept. */
export const schedules: readonly Schedule[] = kept.flatMap((one) => {
  if (one.days_max === null) return [];
  return purge(`old ${one.noun}`, async (db, { instant, ...ended }) => {
    const since = keptSince(one, instant);
    return since === null ? 0 : deleteOldKept(db, { kind: one.kind, since, ...ended });
  });
});
