import { no_call_limits } from "../../platform/call-limits.js";
import type { Instant } from "../../platform/clock.js";
import type { Context } from "../../platform/context.js";
import type { Queries } from "../../platform/db/database.js";
import type { Project } from "../projects/index.js";
import { tellOfUse } from "./notices.js";
import { type CountedPeriod, distinct, limitsOf, periodOf } from "./usage.js";
import { addCalls } from "./usage.store.js";

/**
 * Counts a call that an automation is about to make, in the transaction that makes it: exactly, over all processes, since those of a
 * project that has a limit wait for each other at one row.
 * @returns the periods that it was counted in, none where nothing limits it; null where a limit is reached, and nothing is counted
 */
export async function takeCall(
  { config }: Pick<Context, "config">,
  tx: Queries,
  project: Project,
  instant: Instant,
): Promise<CountedPeriod[] | null> {
  const { webhook_calls } = limitsOf(project, config.call_limits ?? no_call_limits);
  const periods = distinct(webhook_calls).map((limit) => periodOf(project, "webhook_calls", limit, instant));
  if (periods.length === 0) return periods;
  // Nothing is added first: it takes the rows, and says what they hold.
  await add(tx, periods, 0);
  if (periods.some(({ calls_told, limit }) => calls_told >= limit.value)) return null;
  await add(tx, periods, 1);
  return periods;
}

async function add(tx: Queries, periods: readonly CountedPeriod[], calls: number): Promise<void> {
  const added = periods.map(({ project, counter, limit, starts_at, ends_at }) => ({
    ...{ project_id: project.id, counter, duration: limit.duration, starts_at, ends_at, calls },
  }));
  for (const { place, calls } of await addCalls(tx, added)) {
    const period = periods[place - 1];
    if (period) period.calls_told = calls;
  }
}

/** Tells of the limits that the call, which is stored now, was the first to use so much of. */
export async function tellOfTaken(context: Context, taken: readonly CountedPeriod[]): Promise<void> {
  for (const period of taken) {
    const { project, limit, calls_told } = period;
    const wanted = project.api_usage_notifications.webhook_calls;
    if (wanted && calls_told === Math.ceil((limit.value * wanted.value) / 100)) await tellOfUse(context, period);
  }
}
