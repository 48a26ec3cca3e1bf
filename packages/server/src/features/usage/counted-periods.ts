import { oncePer } from "@guerdon/engine";
import type { CallCounter, CallLimits } from "../../platform/call-limits.js";
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
  const periods = new Map<string, CountedPeriod>();

  // A project is the same object until something of it is edited.
  const limitsFor = oncePer((project: Project) => {
    const all = limitsOf(project, of_organization);
    return eachCounter((counter) => distinct(all[counter]));
  });

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
