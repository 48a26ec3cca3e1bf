import type { FastifyReply } from "fastify";
import { no_call_limits } from "../../platform/call-limits.js";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import type { CountUse } from "../projects/index.js";
import { countedPeriods } from "./counted-periods.js";
import { tellOfUse } from "./notices.js";
import { type CountedPeriod, counterOf, limitTypeOf } from "./usage.js";
import { addCalls } from "./usage.store.js";

/** How long counts wait before the other processes hear of them; a limit may be passed by what they grant meanwhile. */
const pause_ms = 2_000;
const rows_max = 1_000;

/** Counts the calls of projects that have a limit, and refuses those beyond it. */
export interface Usage {
  count: CountUse;
  /** Tells the other processes what was counted here, and hears what they have. */
  flush(): Promise<void>;
}

type Needed = Pick<Context, "db" | "clock" | "log" | "seal" | "bell" | "config">;

/**
 * Counts in memory: a request asks the database nothing. What is counted is added up there every two seconds, in one statement for all
 * projects, which answers what all processes have counted (ADR 69).
 */
export function openUsage(context: Needed): Usage {
  const periods = countedPeriods(context.config.call_limits ?? no_call_limits);
  const unheard = new Set<CountedPeriod>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  const count: CountUse = ({ project, instant, caller }, route, reply) => {
    // People at the dashboard are no software that has to be kept in bounds.
    if (caller.kind === "user_session") return;
    const counted = periods.of(project, counterOf(route), instant);
    if (counted.length === 0) return;
    const [full] = counted.filter((one) => leftOf(one) <= 0).sort((a, b) => b.ends_at - a.ends_at);
    if (full) {
      // What is refused does not count.
      showLimit(reply, full);
      throw problems.tooManyCalls(Math.ceil((full.ends_at - instant) / 1000), limitTypeOf(full));
    }
    for (const one of counted) {
      one.calls += 1;
      unheard.add(one);
    }
    timer ??= setTimeout(() => void flush(), pause_ms).unref();
    const [tightest] = counted.sort((a, b) => leftOf(a) - leftOf(b));
    if (tightest) showLimit(reply, tightest);
  };

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const told = [...unheard];
    for (let i = 0; i < told.length; i += rows_max) {
      for (const heard of await writeSome(context, told.slice(i, i + rows_max))) unheard.delete(heard);
    }
    periods.forget(context.clock.now());
  }

  function flush(): Promise<void> {
    flushing = flushing.then(writeAll).catch((err: Error) => {
      // What was counted is kept, and told with what comes.
      context.log.warn({ periods: unheard.size, err }, "calls could not be counted for all processes");
    });
    return flushing;
  }

  return { count, flush };
}

/** Adds up what was counted; answers the periods of which nothing is left to tell. */
async function writeSome(context: Needed, some: readonly CountedPeriod[]): Promise<CountedPeriod[]> {
  const sent = some.map(({ project, counter, limit, starts_at, ends_at, calls }) => ({
    ...{ project_id: project.id, counter, duration: limit.duration, starts_at, ends_at, calls },
  }));
  const totals = new Map((await addCalls(context.db, sent)).map(({ place, calls }) => [place, calls]));
  for (const [i, one] of some.entries()) {
    const written = sent[i]?.calls ?? 0;
    // While the statement was under way more may have been counted.
    one.calls -= written;
    one.calls_told = totals.get(i + 1) ?? one.calls_told + written;
    await tellOfUse(context, one);
  }
  return some.filter(({ calls }) => calls === 0);
}

function showLimit(reply: Pick<FastifyReply, "headers">, period: CountedPeriod): void {
  const left = Math.max(0, leftOf(period));
  void reply.headers({
    "x-rate-limit-limit": String(period.limit.value),
    "x-rate-limit-remaining": String(left),
    "x-rate-limit-retry": left > 0 ? "0" : String(Math.ceil(period.ends_at / 1000)),
  });
}

const leftOf = ({ limit, calls_told, calls }: CountedPeriod) => limit.value - calls_told - calls;
