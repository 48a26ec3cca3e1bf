import { maintainPartitions, type Partitioned } from "../../../platform/db/partitions.js";
import { every, type Schedule } from "../../../platform/jobs/schedules.js";
import { log_days } from "./send-out.js";
import { someWaitOf } from "./send-out.store.js";

const send_outs: Partitioned = { table: "send_outs", kept_days: log_days, isNeeded: someWaitOf };

export const schedules: readonly Schedule[] = [
  {
    name: "send-outs",
    of: "installation",
    next: every({ hours: 6 }),
    runDue: ({ db }, instant) => maintainPartitions(db, [send_outs], instant),
  },
];
