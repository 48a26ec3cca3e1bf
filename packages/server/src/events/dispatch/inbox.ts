import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import { isConnectionLost, Unavailable } from "../../platform/db/database-errors.js";
import type { Progress, Work } from "../../platform/jobs/loop.js";
import { type Consumer, createBatchSize, type Left, toldTo } from "./consumer.js";
import { deleteFromInbox, type InboxRow, putOff, someInInbox, takeFromInbox } from "./inbox.store.js";

interface InboxOptions {
  /** Serves these projects alone: for tests, which share a database. */
  project_ids?: readonly string[];
}

const events_max = 50;
/** Tries of one event, about half a day in all; then it stays where it is until somebody sets it due again. */
export const inbox_tries_max = 20;
const pause_ms = 1_000;
const pause_ms_max = 60 * 60_000;
/** Events remembered whose `first` was done; forgotten ones have it done again. */
const ready_max = 10_000;

/**
 * What a consumer does from the inbox. Any number of processes may do it: each takes what no other holds, and the event
 * leaves the inbox in the transaction that did what follows from it.
 */
export function inboxWork(context: Context, consumer: Consumer, { project_ids }: InboxOptions = {}): Work {
  const { name } = consumer;
  const size = createBatchSize(consumer.events_max ?? events_max);
  const ready = new Set<string>();
  const asking = { consumer: name, project_ids: project_ids ?? null };
  let after = "";

  /** Takes one batch; the rows are told as soon as they are held. */
  async function take(instant: Instant, hold: (rows: readonly InboxRow[]) => void): Promise<readonly Left[]> {
    return context.db.transaction(async (tx) => {
      hold([]);
      const rows = await takeFromInbox(tx, { ...asking, instant, events_max: size.now(), after });
      hold(rows);
      if (rows.length === 0) return [];
      const events = rows.flatMap(({ event }) => (event ? toldTo(consumer, event) : []));
      const left = events.length > 0 ? ((await consumer.take(tx, events, { context, instant, ready })) ?? []) : [];
      const left_ids = new Set(left.map(({ event_id }) => event_id));
      const done = rows.filter(({ event_id }) => !left_ids.has(event_id));
      if ((await deleteFromInbox(tx, name, done)) !== done.length)
        throw new Error(`events were lost under the locks of their rows in the inbox of ${name}`);
      return left;
    });
  }

  /** Does what the events need first; one that cannot have it is tried again later. */
  async function prepare(left: readonly Left[], rows: readonly InboxRow[], instant: Instant): Promise<void> {
    if (ready.size > ready_max) ready.clear();
    for (const { event_id, first } of left) {
      if (!first) continue;
      try {
        await first();
        ready.add(event_id);
      } catch (error) {
        const row = rows.find((one) => one.event_id === event_id);
        if (!row || isAway(error)) throw error;
        await setAside(context, name, row, { instant, err: error as Error });
      }
    }
  }

  async function step(instant: Instant): Promise<Progress> {
    let rows: readonly InboxRow[] = [];
    const asked_for = size.now();
    let left: readonly Left[];
    try {
      left = await take(instant, (held) => (rows = held));
    } catch (error) {
      const [row] = rows;
      if (!row || isAway(error)) throw error;
      size.failed(rows.length);
      if (rows.length === 1) await setAside(context, name, row, { instant, err: error as Error });
      return "more";
    }
    if (rows.length === 0) return "nothing";
    size.went();
    after = lastServed(rows, after);
    const left_ids = new Set(left.map(({ event_id }) => event_id));
    // Two of one card that wait for each other would else undo what was done for both, again and again.
    for (const { event_id } of rows) if (!left_ids.has(event_id)) ready.delete(event_id);
    await prepare(left, rows, instant);
    return left.length > 0 || rows.length >= asked_for / 2 ? "more" : "some";
  }

  return {
    name: `inbox of ${name}`,
    bell: { name: "inbox", pause_ms: 0 },
    due: (instant) => someInInbox({ ...asking, instant }),
    step,
  };
}

/** Puts an event off that its consumer cannot take: each time for longer, and in the end for good. */
async function setAside(
  { db, log }: Pick<Context, "db" | "log">,
  consumer: string,
  { project_id, event_id, tries: before }: InboxRow,
  { instant, err }: { instant: Instant; err: Error },
): Promise<void> {
  const tries = before + 1;
  const is_last = tries >= inbox_tries_max;
  const message = is_last ? "a consumer was given up with an event" : "a consumer cannot take an event";
  log.error({ consumer, project_id, event_id, tries, err }, message);
  const due_at = is_last ? null : instant + Math.min(pause_ms_max, pause_ms * 2 ** tries);
  await putOff(db, consumer, { project_id, event_id, tries }, due_at);
}

/** Who was served last, where the order begins after the one before and goes round. */
function lastServed(rows: readonly InboxRow[], before: string): string {
  const ids = rows.map(({ project_id }) => project_id).sort();
  return ids.findLast((id) => id <= before) ?? ids.at(-1) ?? before;
}

/** The database is away, which is no event's fault. A statement that took too long, or waited, may be one's. */
export const isAway = (error: unknown): boolean =>
  error instanceof Unavailable && (error.cause === undefined || isConnectionLost(error.cause));
