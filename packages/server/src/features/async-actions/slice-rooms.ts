import type { AsyncActionType, AsyncJob } from "./async-action.js";

const slow_ms = 1_000;
const quick_ms = 300;

/**
 * How many rows the next slice of each type takes: fewer after a slow or failed one, more after a quick one, so that
 * no transaction lasts 2 s whatever the machine (architecture.md §5).
 */
export function createRooms() {
  const rooms = new Map<AsyncActionType, number>();
  const of = ({ type, rows }: AsyncJob) => rooms.get(type) ?? rows.start;
  return {
    of,
    /** Tells how long a slice took; infinite when it failed. */
    tell(job: AsyncJob, took_ms: number): void {
      const room = of(job);
      if (took_ms > slow_ms) rooms.set(job.type, Math.max(1, Math.floor(room / 2)));
      else if (took_ms < quick_ms) rooms.set(job.type, Math.min(job.rows.max, room * 2));
    },
  };
}
