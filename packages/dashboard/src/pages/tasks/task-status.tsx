import { t } from "../../text/index.js";
import { Bar, Status } from "../../ui/status.js";
import type { Task } from "./tasks.queries.js";

const words = t.tasks;

interface TaskStatusProps {
  of: Pick<Task, "status" | "progress">;
  /** How many of its rows were left as they were, where that is known. */
  refused?: number;
}

/** Where a task is; of one that runs, how far. */
export function TaskStatus({ of: { status, progress }, refused = 0 }: TaskStatusProps) {
  if (status === "ENQUEUED")
    return (
      <Status tone="mute" icon="clock">
        {words.waits}
      </Status>
    );
  if (status === "IN_PROGRESS")
    return (
      <>
        <Status tone="info" icon="loader2">
          {words.runs(progress)}
        </Status>
        <Bar part={progress / 100} />
      </>
    );
  if (status === "FAILED")
    return (
      <Status tone="bad" icon="circleX">
        {words.failed}
      </Status>
    );
  return refused > 0 ? (
    <Status tone="warn" icon="alertCircle">
      {words.partly}
    </Status>
  ) : (
    <Status tone="ok" icon="circleCheck">
      {words.done}
    </Status>
  );
}

const second_ms = 1_000;
const minute_s = 60;

/** `4 s`, `3 min`: how long it took or has taken. */
export function tookWords({ created_at, updated_at }: Pick<Task, "created_at" | "updated_at">): string {
  const seconds = Math.max(0, (Date.parse(updated_at) - Date.parse(created_at)) / second_ms);
  if (seconds >= 2 * minute_s) return words.minutes(String(Math.round(seconds / minute_s)));
  return words.seconds(seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds)));
}
