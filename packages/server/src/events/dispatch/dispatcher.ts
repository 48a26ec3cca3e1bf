import type { Context } from "../../platform/context.js";
import type { Progress, Work } from "../../platform/jobs/loop.js";
import type { StoredEvent } from "../event.js";
import { parcel_max } from "../outbox.store.js";
import { factsToldAs } from "../twins.js";
import { type Consumer, createBatchSize, toldTo } from "./consumer.js";
import { someInOutbox } from "./dispatcher.store.js";
import { isAway } from "./inbox.js";
import { insertIntoInbox } from "./inbox.store.js";
import { type Batch, type TakenEvent, takeFromOutbox, type Wanted } from "./take.js";

/** Hands events from the outbox to their consumers. */
export interface Dispatcher {
  /** Takes one batch; answers how many events it held. */
  dispatch(): Promise<number>;
  work: Work;
}

export interface DispatcherOptions {
  /** Serves these projects alone: for tests, which share a database. */
  project_ids?: readonly string[];
}

/** A consumer could not take a batch. */
class Refused extends Error {}

const parcels_max = 64;
const events_max = parcels_max * parcel_max;
/** Of the events of one batch, as they are stored: one alone may be larger. */
const bytes_max = 4 * 2 ** 20;
/** Events wait for company before the dispatcher looks: at 20 ms a rush spent a third of PostgreSQL's time on looking. */
const bell = { name: "outbox", pause_ms: 100, pause_ms_max: 500 };

/**
 * Every consumer gets every event, whatever dies when: the event leaves the outbox in the transaction in which its
 * consumers have it, or find it in their inbox. Any number of dispatchers may run.
 */
export function createDispatcher(
  context: Context,
  consumers: readonly Consumer[],
  { project_ids }: DispatcherOptions = {},
): Dispatcher {
  const { db, clock, log } = context;
  const whom = { project_ids: project_ids ?? null };
  const size = createBatchSize(events_max);
  const wanted = consumers.map(wantedBy);
  /** Consumer and event where the consumer could not take it in the dispatch: it finds it in its inbox. */
  const diverted = new Set<string>();

  async function take(): Promise<Batch> {
    let gone: Batch = { taken: 0, has_more: false, events: [] };
    let busy: Consumer | undefined;
    let left_in_inbox = 0;
    try {
      await db.transaction(async (tx) => {
        [busy, left_in_inbox] = [undefined, 0];
        gone = await takeFromOutbox(tx, { parcels_max, events_max: size.now(), bytes_max, wanted, ...whom });
        const turn = { context, instant: clock.now(), ready: new Set<string>() };
        for (const [place, consumer] of consumers.entries()) {
          const may_be_told = gone.events.flatMap(({ event, wanted_by }) => (wanted_by[place] ? event : []));
          const { later, now } = shareOf(consumer, may_be_told, diverted);
          if (later.length > 0) left_in_inbox += await insertIntoInbox(tx, consumer.name, later);
          busy = consumer;
          const told = now.flatMap((event) => toldTo(consumer, event));
          if (told.length > 0) await consumer.take(tx, told, turn);
          busy = undefined;
        }
      });
    } catch (error) {
      if (!busy || gone.events.length === 0 || isAway(error)) throw error;
      refused(busy, gone.events, error as Error);
      throw new Refused(busy.name, { cause: error });
    }
    diverted.clear();
    size.went();
    if (left_in_inbox > 0) context.bell.ring("inbox");
    return gone;
  }

  /** Narrows a failed batch down to the one event that its consumer cannot take; that one goes to its inbox. */
  function refused({ name }: Consumer, taken: readonly TakenEvent[], err: Error): void {
    const [first] = taken;
    size.failed(taken.length);
    if (taken.length > 1 || !first) return;
    const { id, project_id, type } = first.event;
    log.error({ consumer: name, project_id, event_id: id, type, err }, "a consumer cannot take an event");
    diverted.add(`${name} ${id}`);
  }

  async function step(): Promise<Progress> {
    // Where a batch was not full the rest may gather: to look costs the same for one event as for a hundred.
    try {
      const { taken, has_more } = await take();
      return has_more ? "more" : taken > 0 ? "some" : "nothing";
    } catch (error) {
      // At once again, with fewer events or past the one that goes to an inbox now.
      if (error instanceof Refused) return "more";
      throw error;
    }
  }

  const work = { name: "dispatcher", bell, due: () => someInOutbox(whom), step };
  return { dispatch: async () => (await take()).taken, work };
}

function wantedBy({ names, briefly = [], is_told }: Consumer): Wanted {
  const whole_types = factsToldAs(names);
  return { types: new Set([...whole_types, ...briefly]), whole_types: new Set(whole_types), is_told };
}

/** What a consumer takes at once of the events, and what it finds in its inbox. */
function shareOf(consumer: Consumer, events: readonly StoredEvent[], diverted: ReadonlySet<string>) {
  const wanted = events.filter((event) => toldTo(consumer, event).length > 0);
  const isLater = ({ id }: StoredEvent) => consumer.when === "inbox" || diverted.has(`${consumer.name} ${id}`);
  return { later: wanted.filter(isLater), now: wanted.filter((event) => !isLater(event)) };
}
