import { every, type Schedule } from "../../platform/jobs/schedules.js";
import { purgeAttempts, purgeLinks, purgeSessions } from "./sign-in.store.js";

const rows_max = 2_000;

/** Sessions, links and attempts that have ended; whoever looks at one looks at its time as well. */
export const schedules: readonly Schedule[] = [
  {
    name: "sign-ins",
    of: "installation",
    next: every({ hours: 1 }),
    async runDue({ db }, instant) {
      const deleted = await Promise.all(
        [purgeSessions, purgeLinks, purgeAttempts].map((purge) => purge(db, { instant, rows_max })),
      );
      return deleted.some((rows) => rows >= rows_max);
    },
  },
];
