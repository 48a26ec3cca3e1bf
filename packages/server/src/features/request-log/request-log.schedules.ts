import { maintainPartitions, type Partitioned } from "../../platform/db/partitions.js";
import { every, type Schedule } from "../../platform/jobs/schedules.js";
import { kept_days } from "./request-log.js";

const requests: Partitioned = { table: "api_requests", span: "day", kept_days, isNeeded: async () => false };

export const schedules: readonly Schedule[] = [
  {
    name: "api requests",
    of: "installation",
    next: every({ hours: 6 }),
    runDue: ({ db }, instant) => maintainPartitions(db, [requests], instant),
  },
];
