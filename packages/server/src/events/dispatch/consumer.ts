import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Tx } from "../../platform/db/database.js";
import type { Sql } from "../../platform/db/sql.js";
import type { BriefEvent, EventType, StoredEvent } from "../event.js";
import { type EventName, type ToldEvent, toldAs } from "../twins.js";

/** Who is told of events: webhooks, activity, segments, earning rules … (architecture.md §5). */
export interface Consumer<Name extends EventName = EventName, Brief extends EventType = never> {
  /** Stored with what waits for it; it stays as it is. */
  name: string;
  /** The names it is told of, of facts or of their twins; no other events are read. */
  names: readonly Name[];
  /** Facts that it is told of besides, and of which it need not know more: for nobody's sake are they read. None unless said. */
  briefly?: readonly Brief[];
  /**
   * Asked of each project and type of event, `gone`, that a batch of the outbox has, whether it may be told of such an event at
   * all; what nobody is told of is not read, and nobody finds in their inbox what is for others. For whoever waits for many names
   * and is mostly told of none.
   */
  is_told?: Sql;
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
   * @param events each under every name that it asks for: one that has several comes several times, with the same id
   * @returns the events that it leaves for another turn; none unless said. Only from the inbox.
   */
  take(
    tx: Tx,
    events: readonly (ToldEvent<Name> | BriefEvent<Brief>)[],
    turn: Turn,
  ): Promise<undefined | readonly Left[]>;
}

/** Declares a consumer that is handed events of the names it asks for, and of no others. */
export const consumerOf = <const Name extends EventName, const Brief extends EventType = never>(
  declared: Consumer<Name, Brief>,
): Consumer =>
  // The dispatcher has a list of consumers of all names, and hands each one its own.
  declared as unknown as Consumer;

/** The event as the consumer is told of it: under each name that it asks for. */
export const toldTo = ({ names, briefly = [] }: Consumer, event: StoredEvent): ToldEvent[] =>
  (briefly as readonly EventType[]).includes(event.type) ? [event] : toldAs(event, names);

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
