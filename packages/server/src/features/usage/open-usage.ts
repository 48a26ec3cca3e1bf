import { type CallLimit, no_call_limits, periodAt } from "../../platform/call-limits.js";
import type { Context } from "../../platform/context.js";
import { problems } from "../../platform/http/problems.js";
import type { CountUse, Project } from "../projects/index.js";
import { tellOfUse } from "./notices.js";
import { type CountedPeriod, counterOf, distinct, limitsOf, limitTypeOf } from "./usage.js";
import { addCalls } from "./usage.store.js";

/** How long counts wait before the other processes hear of them; a limit may be passed by what they grant meanwhile. */
const pause_ms = 2_000;
/** Periods that a process has in mind: of more, those are forgotten that were begun first. */
const periods_max = 10_000;
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
  const { db, log, config } = context;
  const of_organization = config.call_limits ?? no_call_limits;
  const limits = new WeakMap<Project, Record<"api_calls" | "bulk_api_calls", CallLimit[]>>();
  const periods = new Map<string, CountedPeriod>();
  const unheard = new Set<CountedPeriod>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function limitsFor(project: Project) {
    let known = limits.get(project);
    if (!known) {
      const { api_calls, bulk_api_calls } = limitsOf(project, of_organization);
      known = { api_calls: distinct(api_calls), bulk_api_calls: distinct(bulk_api_calls) };
      limits.set(project, known);
    }
    return known;
  }

  function periodOf(project: Project, counter: CountedPeriod["counter"], limit: CallLimit, instant: number) {
    const times = periodAt(limit.duration, instant);
    if (!times) throw new Error(`${limit.duration} has no periods`);
    const name = `${project.id} ${counter} ${limit.duration} ${times.starts_at}`;
    const known = periods.get(name);
    if (known) return Object.assign(known, { project, limit });
    const begun = { project, counter, limit, ...times, calls_told: 0, calls: 0, is_noticed: false };
    periods.set(name, begun);
    const [oldest] = periods.size > periods_max ? periods.keys() : [];
    if (oldest !== undefined) periods.delete(oldest);
    return begun;
  }

  const count: CountUse = ({ project, instant, caller }, route, reply) => {
    // People at the dashboard are no software that has to be kept in bounds.
    if (caller.kind === "user_session") return;
    const counter = counterOf(route);
    const own = limitsFor(project)[counter];
    if (own.length === 0) return;
    const counted = own.map((limit) => periodOf(project, counter, limit, instant));
    const full = counted.filter((one) => leftOf(one) <= 0).sort((a, b) => b.ends_at - a.ends_at)[0];
    if (!full) {
      for (const one of counted) {
        one.calls += 1;
        unheard.add(one);
      }
      timer ??= setTimeout(() => void flush(), pause_ms).unref();
    }
    const tightest = full ?? counted.sort((a, b) => leftOf(a) - leftOf(b))[0];
    if (!tightest) return;
    const left = Math.max(0, leftOf(tightest));
    void reply.headers({
      "x-rate-limit-limit": String(tightest.limit.value),
      "x-rate-limit-remaining": String(left),
      "x-rate-limit-retry": left > 0 ? "0" : String(Math.ceil(tightest.ends_at / 1000)),
    });
    // What is refused does not count.
    if (full) throw problems.tooManyCalls(Math.ceil((full.ends_at - instant) / 1000), limitTypeOf(full));
  };

  async function writeAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const told = [...unheard];
    for (let i = 0; i < told.length; i += rows_max) await writeSome(told.slice(i, i + rows_max));
    const instant = context.clock.now();
    for (const [name, { ends_at, calls }] of periods) if (ends_at <= instant && calls === 0) periods.delete(name);
  }

  async function writeSome(some: readonly CountedPeriod[]): Promise<void> {
    const sent = some.map(({ project, counter, limit, starts_at, ends_at, calls }) => ({
      ...{ project_id: project.id, counter, duration: limit.duration, starts_at, ends_at, calls },
    }));
    const totals = new Map((await addCalls(db, sent)).map(({ place, calls }) => [place, calls]));
    for (const [i, one] of some.entries()) {
      const written = sent[i]?.calls ?? 0;
      // While the statement was under way more may have been counted.
      one.calls -= written;
      one.calls_told = totals.get(i + 1) ?? one.calls_told + written;
      if (one.calls === 0) unheard.delete(one);
      await tellOfUse(context, one);
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(writeAll).catch((err: Error) => {
      // What was counted is kept, and told with what comes.
      log.warn({ periods: unheard.size, err }, "calls could not be counted for all processes");
    });
    return flushing;
  }

  return { count, flush };
}

const leftOf = ({ limit, calls_told, calls }: CountedPeriod) => limit.value - calls_told - calls;
