import type { Database, Tx } from "../platform/database.js";
import { Unavailable } from "../platform/database-errors.js";
import type { Log } from "../platform/log.js";
import { createLoop, type Loop } from "../platform/loop.js";
import { dropFromOutbox, takeFromOutbox } from "./dispatcher.store.js";
import type { EventType, StoredEvent } from "./event.js";

/** Who is told of events: webhooks, activity, segments, earning rules … (architecture.md §5). */
export interface EventConsumer {
  name: string;
  /** What it is told of; the dispatcher reads no other events. */
  types: readonly EventType[];
  /**
   * Writes what concerns it into its own table, in the transaction that takes the events off the outbox: a few array
   * statements, no calls elsewhere. The table is unique on the event; what it leads to is done later, from that table.
   */
  take(tx: Tx, events: readonly StoredEvent[]): Promise<void>;
}

/** Hands events from the outbox to their consumers. A {@link Loop}, and a way to do it at once. */
export interface Dispatcher extends Loop {
  /** Takes one batch; answers how many events it held. */
  dispatch(): Promise<number>;
}

export interface DispatcherOptions {
  /** Serves these projects alone: for tests, which share a database. */
  project_ids?: readonly string[];
  /** Told after consumers got something, and can read it. */
  handed_over?: () => void;
}

/** A consumer could not take a batch. */
class Refused extends Error {}

const look_ms = 200;
const batch_max = 500;
/** Of rows that nobody waits for. */
const drop_max = 5_000;
/** An event that a consumer cannot take is left aside so long, so that it holds up no other. */
const aside_ms = 60_000;
const aside_max = 1_000;

/**
 * Every consumer gets every event, whatever dies when: the event leaves the outbox in the transaction in which its
 * consumers have it. Any number of dispatchers may run.
 */
export function createDispatcher(
  { db, log }: { db: Database; log: Log },
  consumers: readonly EventConsumer[],
  { project_ids, handed_over }: DispatcherOptions = {},
): Dispatcher {
  const aside = new Map<string, number>();
  let events_max = batch_max;
  const types = [...new Set(consumers.flatMap((consumer) => consumer.types))];

  async function take(except: readonly string[]): Promise<{ taken: number; events: StoredEvent[] }> {
    let gone: { taken: number; events: StoredEvent[] } = { taken: 0, events: [] };
    let busy: EventConsumer | undefined;
    try {
      await db.transaction(async (tx) => {
        busy = undefined;
        gone = await takeFromOutbox(tx, { events_max, except, types, project_ids: project_ids ?? null });
        for (const consumer of consumers) {
          const wanted = gone.events.filter(({ type }) => consumer.types.includes(type));
          busy = consumer;
          if (wanted.length > 0) await consumer.take(tx, wanted);
        }
      });
      return gone;
    } catch (error) {
      if (!busy || gone.events.length === 0 || error instanceof Unavailable) throw error;
      refused(busy, gone.events, error as Error);
      throw new Refused(busy.name, { cause: error });
    }
  }

  /** Narrows a failed batch down to the one event that its consumer cannot take, and sets that one aside. */
  function refused({ name }: EventConsumer, taken: readonly StoredEvent[], err: Error): void {
    const [event] = taken;
    events_max = Math.max(1, Math.floor(taken.length / 2));
    if (taken.length > 1 || !event) return;
    const { id, project_id, type } = event;
    log.error({ consumer: name, project_id, event_id: id, type, err }, "a consumer cannot take an event");
    if (aside.size >= aside_max) throw new Error(`${name} cannot take anything`, { cause: err });
    aside.set(id, performance.now() + aside_ms);
  }

  async function dispatch(): Promise<number> {
    if (consumers.length === 0) {
      return dropFromOutbox(db, { events_max: drop_max, except: [], project_ids: project_ids ?? null });
    }
    for (const [id, until] of aside) if (until <= performance.now()) aside.delete(id);
    const { taken, events } = await take([...aside.keys()]);
    events_max = Math.min(batch_max, events_max * 2);
    if (events.length > 0) handed_over?.();
    return taken;
  }

  const loop = createLoop({
    async work() {
      try {
        // Where a batch was not full the rest may gather: to look costs the same for one event as for a hundred.
        const asked_for = events_max;
        return (await dispatch()) >= asked_for;
      } catch (error) {
        // At once again, with a smaller batch or without the event that stands aside now.
        if (error instanceof Refused) return true;
        throw error;
      }
    },
    pause_ms: look_ms,
    failed: (err) => log.error({ err }, "events could not be handed to their consumers"),
  });
  return { ...loop, dispatch };
}
