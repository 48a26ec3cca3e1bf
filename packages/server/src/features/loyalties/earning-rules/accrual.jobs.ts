import type { EventConsumer } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import { Unavailable } from "../../../platform/database-errors.js";
import { Problem } from "../../../platform/http/problems.js";
import { createLoop, type Loop } from "../../../platform/loop.js";
import { publish } from "../../publications/index.js";
import { causeOf } from "./accrual.entries.js";
import type { TaskPlan } from "./accrual.plan.js";
import { type Accrued, accruePoints } from "./accrual.service.js";
import { insertTasks } from "./accrual.store.js";

/** Notes the events that may earn points; a worker sees to them. */
export const earningConsumer: EventConsumer = {
  name: "earning rules",
  types: ["customer.custom_event"],
  async take(tx, events) {
    await insertTasks(tx, events);
  },
};

/** Pays points for events (loyalty.md §4). A {@link Loop}, and a way to do it at once. */
export interface EarningWorker extends Loop {
  /** Does everything that is noted. */
  runDue(instant: Instant): Promise<void>;
}

export interface EarningWorkerOptions {
  /** Serves these projects alone: for tests, which share a database. */
  project_ids?: readonly string[];
}

const look_ms = 200;
const tasks_max = 50;
/** An event that cannot be paid is left aside so long, so that it holds up no other. */
const aside_ms = 60_000;

/** Any number of workers may run: each takes what no other holds, and an event is paid in one transaction. */
export function createEarningWorker(context: Context, { project_ids }: EarningWorkerOptions = {}): EarningWorker {
  const { db, clock, log } = context;
  const aside = new Map<string, number>();
  const joined = new Set<string>();
  let count_max = tasks_max;

  async function accrue(instant: Instant): Promise<Accrued> {
    let taken: string[] = [];
    try {
      const accrued = await db.transaction((tx) =>
        accruePoints(tx, context, {
          tasks_max: count_max,
          except: [...aside.keys()],
          project_ids: project_ids ?? null,
          instant,
          joined,
          taken: (event_ids) => (taken = event_ids),
        }),
      );
      for (const event_id of taken) joined.delete(event_id);
      count_max = Math.min(tasks_max, count_max * 2);
      return accrued;
    } catch (error) {
      if (taken.length === 0 || error instanceof Unavailable) throw error;
      refused(taken, error as Error);
      // At once again, with fewer events or without the one that stands aside now.
      return { done: taken.length, joins: [] };
    }
  }

  /** Narrows a failed batch down to the one event that cannot be paid, and sets that one aside. */
  function refused(taken: readonly string[], err: Error): void {
    const [event_id] = taken;
    count_max = Math.max(1, Math.floor(taken.length / 2));
    if (taken.length === 1 && event_id !== undefined) setAside(event_id, err);
  }

  function setAside(event_id: string, err: Error): void {
    log.error({ event_id, err }, "an event cannot be paid its points");
    aside.set(event_id, performance.now() + aside_ms);
  }

  /** Does one batch; answers whether there may be more. */
  async function step(instant: Instant): Promise<boolean> {
    for (const [event_id, until] of aside) if (until <= performance.now()) aside.delete(event_id);
    const { done, joins } = await accrue(instant);
    for (const plan of joins) {
      const { event_id } = plan.task;
      await joinAll(context, plan, instant).catch((err: Error) => {
        if (err instanceof Unavailable) throw err;
        setAside(event_id, err);
      });
      joined.add(event_id);
    }
    return done > 0 || joins.length > 0;
  }

  const loop = createLoop({
    work: () => step(clock.now()),
    pause_ms: look_ms,
    failed: (err) => log.error({ err }, "points could not be paid"),
  });
  return {
    ...loop,
    async runDue(instant) {
      while (await step(instant));
    },
  };
}

/**
 * Gives the customer a card in each campaign that takes members by itself (loyalty.md §2.1), in transactions of their
 * own: killed after one of them, the event finds the card and is paid all the same. A customer who has joined meanwhile
 * keeps the card; one for whom there is none earns nothing.
 */
async function joinAll(context: Context, { task, project, joins }: TaskPlan, instant: Instant): Promise<void> {
  for (const campaign_id of joins) {
    const publisher = { ...causeOf(task, instant), project };
    try {
      await publish(context, publisher, {
        customer: { id: task.customer_id },
        campaign_id,
        code: null,
        source_id: null,
        metadata: {},
        channel: "Automation",
        join_once: true,
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
}
