import { every, type Schedule } from "../../../platform/jobs/schedules.js";
import { walkOn } from "./walk.js";

/** Well within the lease of a schedule. */
const slices_ms = 2_000;

export const schedules: readonly Schedule[] = [
  {
    name: "segment memberships",
    of: "project",
    next: every({ seconds: 10 }),
    async runDue(context, instant, project_ids) {
      const until = performance.now() + slices_ms;
      while (await walkOn(context, instant, project_ids)) if (performance.now() > until) return true;
      return false;
    },
  },
];
