import {
  type CallCounter,
  type CallLimit,
  type CallLimits,
  call_counters,
  callLimitOf,
  isCycle,
  periodAt,
} from "../../platform/call-limits.js";
import type { Instant } from "../../platform/clock.js";
import type { Project } from "../projects/index.js";

/** Calls of one project in one period, as far as a process knows them. */
export interface CountedPeriod {
  /** As the latest call had it. */
  project: Project;
  counter: CallCounter;
  limit: CallLimit;
  starts_at: Instant;
  ends_at: Instant;
  /** By all processes, when this one asked last. */
  calls_told: number;
  /** By this process since. */
  calls: number;
  /** Nobody need be told of it any more in this period. */
  is_noticed: boolean;
}

const bulk_route = /\/(bulk\/async|metadata\/async|import|importCSV)$/;

/** What a call counts as. */
export const counterOf = (route: string): CallCounter => (bulk_route.test(route) ? "bulk_api_calls" : "api_calls");

/** What a limit is called in the header of a refusal (platform.md §13). */
export const limitTypeOf = ({ counter, limit }: Pick<CountedPeriod, "counter" | "limit">): string =>
  counter === "api_calls" && isCycle(limit.duration) ? "api_calls_cycle" : counter;

/** Which of the project's notices is about it. */
export const noticeOf = ({ counter, limit }: Pick<CountedPeriod, "counter" | "limit">): CallCounter | "cycle_calls" =>
  counter === "api_calls" && isCycle(limit.duration) ? "cycle_calls" : counter;

/** The project's own limits where it has any, else the organization's (platform.md §13). */
export function limitsOf({ limits }: Pick<Project, "limits">, of_organization: CallLimits): CallLimits {
  if (!limits) return of_organization;
  return eachCounter((counter) => {
    const said = limits[counter];
    return Array.isArray(said) ? said.flatMap((one) => callLimitOf(one) ?? []) : [];
  });
}

/** Something for each of what is counted. */
export const eachCounter = <T>(of: (counter: CallCounter) => T) =>
  Object.fromEntries(call_counters.map((counter) => [counter, of(counter)])) as Record<CallCounter, T>;

/** The period of the limit that the instant falls in, of which nothing is counted yet. */
export function periodOf(project: Project, counter: CallCounter, limit: CallLimit, instant: Instant): CountedPeriod {
  const times = periodAt(limit.duration, instant);
  if (!times) throw new Error(`${limit.duration} has no periods`);
  return { project, counter, limit, ...times, calls_told: 0, calls: 0, is_noticed: false };
}

/** One limit a length, the lowest: calls of a period are counted once. */
export const distinct = (limits: readonly CallLimit[]): CallLimit[] =>
  limits.filter(
    ({ value, duration }, i) =>
      !limits.some(
        (other, j) => other.duration === duration && (other.value < value || (other.value === value && j < i)),
      ),
  );
