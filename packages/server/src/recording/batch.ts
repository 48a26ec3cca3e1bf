import { isRefusedValue, Unavailable } from "../platform/db/database-errors.js";
import { keys_max } from "../platform/db/locks.js";
import type { Log } from "../platform/log.js";
import { Companies } from "../platform/sharing/together.js";

/** It hangs on what a request before it has changed, so it needs a transaction of its own, after this one. */
export type Deferred = { deferred: true };

/** Records one request, in whatever company. */
export type Batcher<Request, Answer> = (request: Request) => Promise<Answer>;

interface Batching<Request, Answer extends object> {
  /** What goes into one transaction is of one project. */
  projectOf(request: Request): string;
  /** What one request may need: keys, and work on the process's one thread (lines × redeemables). */
  weightOf(request: Request): { keys: number; work: number };
  /** Records requests of one project in one transaction, in their order. The first is never deferred. */
  record(requests: readonly Request[]): Promise<(Answer | Deferred)[]>;
}

interface Waiting<Request, Answer> {
  request: Request;
  answer: (recorded: Answer) => void;
  fail: (error: unknown) => void;
}

const requests_max = 64;
/** Two at once a project: while one waits for its commit the next is being read and decided. */
const batches_at_once = 2;
/** Requests of a project that may wait; whoever comes after them is told to try again. */
const waiting_max = 5000;
/**
 * The work that one batch may hold, so that none keeps its locks for long: what its rules cost is only known once they are
 * read, and then others have turns between its requests (`platform/sharing/turns.ts`).
 */
const work_max = 5000;

/**
 * Lets concurrent requests share a transaction (architecture.md §3): a batch is what is waiting when the one before has
 * made room, so a lone request waits for nothing and a rush on one voucher costs one lock and one commit a batch. Every
 * project has its own queue, so that one tenant's rush delays no other's.
 */
export function createBatcher<Request, Answer extends object>(
  { projectOf, weightOf, record }: Batching<Request, Answer>,
  log: Log,
): Batcher<Request, Answer> {
  async function recordBatch(batch: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const recorded = await record(batch.map(({ request }) => request));
      const deferred: Waiting<Request, Answer>[] = [];
      for (const [i, one] of batch.entries()) {
        const outcome = recorded[i] as Answer | Deferred;
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

  /** How many of those waiting make the next batch: bounded in number, keys and work, but always one. */
  function sizeOfBatch(waiting: readonly Waiting<Request, Answer>[]): number {
    let keys = 0;
    let work = 0;
    let size = 0;
    for (const { request } of waiting) {
      const weight = weightOf(request);
      keys += weight.keys;
      work += weight.work;
      if (size > 0 && (size === requests_max || keys > keys_max || work > work_max)) break;
      size += 1;
    }
    return size;
  }

  const companies = new Companies<Waiting<Request, Answer>>({
    at_once: batches_at_once,
    sizeOf: sizeOfBatch,
    go: recordBatch,
  });
  return (request) =>
    new Promise((answer, fail) => {
      const project_id = projectOf(request);
      if (companies.waiting(project_id) >= waiting_max)
        return fail(new Unavailable("too many requests are waiting", undefined));
      companies.join(project_id, { request, answer, fail });
    });
}
