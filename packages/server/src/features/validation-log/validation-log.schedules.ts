import { maintainPartitions, type Partitioned } from "../../platform/db/partitions.js";
import { every, type Schedule } from "../../platform/jobs/schedules.js";
import { kept_days } from "./validation-log.js";

const logs = ["validations", "explained_refusals"].map(
  (table): Partitioned => ({ table, span: "day", kept_days, isNeeded: async () => false }),
);

export const schedules: readonly Schedule[] = [
  {
    name: "validations",
    of: "installation",
    next: every({ hours: 6 }),
    runDue: ({ db }, instant) => maintainPartitions(db, logs, instant),
  },
];
