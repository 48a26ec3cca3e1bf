import type { Instant } from "../platform/clock.js";
import type { Context } from "../platform/context.js";
import type { Tx } from "../platform/database.js";
import type { EventType, StoredEvent } from "./event.js";

/** Who is told of events: webhooks, activity, segments, earning rules … (architecture.md §5). */
export interface Consumer {
  /** Stored with what waits for it; it stays as it is. */
  name: string;
  /** What it is told of; no other events are read. */
  types: readonly EventType[];
  /**
   * `dispatch`: it takes events in the transaction that takes them off the outbox, beside all other consumers, so a few
   * array statements into a table of its own and no more. `inbox`: it takes them later, from the shared inbox.
   */
  when: "dispatch" | "inbox";
  /** The most events it takes in one transaction from the inbox; 50 unless said. */
  events_max?: number;
  /**
   * Does what follows from the events, in the transaction that also says that it was done; killed anywhere, nothing was.
   * When it throws, the batch is halved until the guilty event is alone; that one is tried again later, each time after
   * a longer pause, and holds up no other.
   *
   * @returns the events that it leaves for another turn; none unless said. Only from the inbox.
   */
  take(tx: Tx, events: readonly StoredEvent[], turn: Turn): Promise<undefined | readonly Left[]>;
}

/** What a consumer knows beside the events. */
export interface Turn {
  context: Context;
  instant: Instant;
  /** Events whose `first` has been done. */
  ready: ReadonlySet<string>;
}

/** An event that is left in the inbox. */
export interface Left {
  event_id: string;
  /** What must happen before, in transactions of its own; it may happen twice. */
  first?: () => Promise<void>;
}

/**
 * How many events the next batch takes: half as many after one that failed, so that the guilty event is soon alone, and
 * more again after one that went well.
 */
export function createBatchSize(events_max: number) {
  let size = events_max;
  return {
    now: () => size,
    went(): void {
      size = Math.min(events_max, size * 2);
    },
    failed(taken: number): void {
      size = Math.max(1, Math.floor(taken / 2));
    },
  };
}
