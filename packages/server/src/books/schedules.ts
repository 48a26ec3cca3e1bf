import { purge } from "../platform/db/purge.js";
import { every, type Schedule } from "../platform/jobs/schedules.js";
import { countHistory } from "./histories/count-history.js";
import { findUncounted } from "./histories/long-histories.store.js";
import { purgeSessionSums, purgeSessions } from "./sessions.store.js";

/** Some slices of 50 ms: well within the lease of a schedule. */
const histories_max = 10;

export const schedules: readonly Schedule[] = [
  purge("expired sessions", purgeSessions),
  purge("sums of expired sessions", purgeSessionSums),
  {
    name: "long histories",
    of: "project",
    next: every({ seconds: 10 }),
    async runDue({ db }, _instant, project_ids) {
      const found = await findUncounted(db, project_ids, histories_max);
      let counted = 0;
      for (const { project_id, ...history } of found) {
        if (await countHistory(db, project_id, history)) counted += 1;
      }
      return counted < found.length || found.length === histories_max;
    },
  },
];
