import { isRefusedValue, Unavailable } from "../platform/database-errors.js";
import { keys_max } from "../platform/locks.js";
import type { Log } from "../platform/log.js";
import type { Deferred, Recorded } from "./record.js";
import type { DecidingRequest } from "./request.js";

/** Redeems one request, in whatever company. */
export type Redeemer = (request: DecidingRequest) => Promise<Recorded>;

type Record = (requests: readonly DecidingRequest[]) => Promise<(Recorded | Deferred)[]>;

interface Waiting {
  request: DecidingRequest;
  answer: (recorded: Recorded) => void;
  fail: (error: unknown) => void;
}

const requests_max = 64;
/** Two at once a project: while one waits for its commit the next is being read and decided. */
const batches_at_once = 2;
/** Redemptions of a project that may wait; whoever comes after them is told to try again. */
const waiting_max = 5000;
/** Lines × redeemables that one batch may decide on, so that no batch keeps the process for long. */
const work_max = 5000;

/**
 * Lets concurrent redemptions share a transaction (architecture.md §3): a batch is what is waiting when the one before has
 * made room, so a lone request waits for nothing and a rush on one voucher costs one lock and one commit a batch. Every
 * project has its own queue, so that one tenant's rush delays no other's.
 */
export function createBatcher(record: Record, log: Log): Redeemer {
  const queues = new Map<string, { waiting: Waiting[]; running: number }>();

  async function run(project_id: string): Promise<void> {
    const queue = queues.get(project_id);
    if (!queue || queue.running >= batches_at_once) return;
    const batch = queue.waiting.splice(0, sizeOfBatch(queue.waiting));
    if (batch.length === 0) {
      if (queue.running === 0) queues.delete(project_id);
      return;
    }
    queue.running += 1;
    await recordBatch(batch);
    queue.running -= 1;
    void run(project_id);
  }

  async function recordBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const recorded = await record(batch.map(({ request }) => request));
      const deferred: Waiting[] = [];
      for (const [i, one] of batch.entries()) {
        const outcome = recorded[i] as Recorded | Deferred;
        if ("deferred" in outcome) deferred.push(one);
        else one.answer(outcome);
      }
      // The first of a batch is never deferred, so this ends.
      if (deferred.length > 0) await recordBatch(deferred);
    } catch (error) {
      // The database away is nobody's fault; anything else is one request's, and the others go on without it.
      if (batch.length === 1 || error instanceof Unavailable) for (const { fail } of batch) fail(error);
      else {
        log.warn(
          { error: String(error), refused_value: isRefusedValue(error), requests: batch.length },
          "a batch is taken apart",
        );
        for (const one of batch) await recordBatch([one]);
      }
    }
  }

  return (request) =>
    new Promise((answer, fail) => {
      const { project_id } = request.call;
      const queue = queues.get(project_id) ?? { waiting: [], running: 0 };
      queues.set(project_id, queue);
      if (queue.waiting.length >= waiting_max)
        return fail(new Unavailable("too many redemptions are waiting", undefined));
      queue.waiting.push({ request, answer, fail });
      // A turn later, so that requests read from the network together are taken together.
      setImmediate(() => void run(project_id));
    });
}

/** How many of those waiting make the next batch: bounded in number, keys and work, but always one. */
function sizeOfBatch(waiting: readonly Waiting[]): number {
  let keys = 0;
  let work = 0;
  let size = 0;
  for (const { request } of waiting) {
    // A customer and an order each take one key, a redeemable its own and those of its and its campaign's counters.
    keys += 3 * request.redeemables.length + 2;
    work += request.redeemables.length * (request.order?.items?.length ?? 1);
    if (size > 0 && (size === requests_max || keys > keys_max || work > work_max)) break;
    size += 1;
  }
  return size;
}
