import type { CallCounter, CallLimit, CallLimits } from "../../platform/call-limits.js";
import type { Instant } from "../../platform/clock.js";
import type { Project } from "../projects/index.js";
import { type CountedPeriod, distinct, eachCounter, limitsOf, periodOf } from "./usage.js";

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
      const all = limitsOf(project, of_organization);
      known = eachCounter((counter) => distinct(all[counter]));
      limits.set(project, known);
    }
    return known;
  }

  function inMind(begun: CountedPeriod): CountedPeriod {
    const { project, counter, limit } = begun;
    const name = `${project.id} ${counter} ${limit.duration} ${begun.starts_at}`;
    const known = periods.get(name);
    if (known) return Object.assign(known, { project, limit });
    periods.set(name, begun);
    const [oldest] = periods.size > periods_max ? periods.keys() : [];
    if (oldest !== undefined) periods.delete(oldest);
    return begun;
  }

  return {
    of: (project, counter, instant) =>
      limitsFor(project)[counter].map((limit) => inMind(periodOf(project, counter, limit, instant))),
    forget(instant) {
      for (const [name, { ends_at, calls }] of periods) if (ends_at <= instant && calls === 0) periods.delete(name);
    },
  };
}
