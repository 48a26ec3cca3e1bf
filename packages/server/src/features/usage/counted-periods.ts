import { type CallCounter, type CallLimit, type CallLimits, periodAt } from "../../platform/call-limits.js";
import type { Instant } from "../../platform/clock.js";
import type { Project } from "../projects/index.js";
import { type CountedPeriod, distinct, limitsOf } from "./usage.js";

/** Periods that a process has in mind: of more, those are forgotten that were begun first. */
const periods_max = 10_000;

/** The periods in which calls of projects are counted. */
export interface CountedPeriods {
  /** Those that a call of the project falls in; none where nothing limits it. */
  of(project: Project, counter: CallCounter, instant: Instant): CountedPeriod[];
  /** Lets go of those that are over and told. */
  forget(instant: Instant): void;
}

export function countedPeriods(of_organization: CallLimits): CountedPeriods {
  // A project is the same object until something of it is edited.
  const limits = new WeakMap<Project, Record<CallCounter, CallLimit[]>>();
  const periods = new Map<string, CountedPeriod>();

  function limitsFor(project: Project) {
    let known = limits.get(project);
    if (!known) {
      const { api_calls, bulk_api_calls } = limitsOf(project, of_organization);
      known = { api_calls: distinct(api_calls), bulk_api_calls: distinct(bulk_api_calls) };
      limits.set(project, known);
    }
    return known;
  }

  function periodOf(project: Project, counter: CallCounter, limit: CallLimit, instant: Instant): CountedPeriod {
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

  return {
    of: (project, counter, instant) =>
      limitsFor(project)[counter].map((limit) => periodOf(project, counter, limit, instant)),
    forget(instant) {
      for (const [name, { ends_at, calls }] of periods) if (ends_at <= instant && calls === 0) periods.delete(name);
    },
  };
}
