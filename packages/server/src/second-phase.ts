import { consumers, jobs, works as others, schedules } from "./composition.js";
import { createDispatcher, inboxWork } from "./events/index.js";
import { createRunner } from "./features/async-actions/index.js";
import type { Instant } from "./platform/clock.js";
import type { Context } from "./platform/context.js";
import { createLoop, type Loop, runDue } from "./platform/jobs/loop.js";
import { runSchedules, scheduleWork } from "./platform/jobs/schedules.js";

/** What happens after the answer, in every process whose role is `all` or `worker`. Whatever it leaves is another's. */
export interface SecondPhase extends Loop {
  /** Does everything that is due at the instant, and what becomes due by that: for tests, with a clock of their own. */
  runDue(instant: Instant): Promise<void>;
}

/** @param project_ids serves these projects alone, and no installation: for tests, which share a database. */
export function createSecondPhase(
  context: Context,
  { project_ids }: { project_ids?: readonly string[] } = {},
): SecondPhase {
  const options = project_ids ? { project_ids } : {};
  const works = [
    createDispatcher(context, consumers, options).work,
    ...consumers.map((consumer) => inboxWork(context, consumer, options)),
    ...createRunner(context, jobs, options).works,
    ...others.map((make) => make(context, options)),
  ];
  const loop = createLoop(context, project_ids ? works : [...works, scheduleWork(context, schedules)]);
  return {
    ...loop,
    async runDue(instant) {
      await runDue(works, instant);
      await runSchedules(context, schedules, instant, project_ids ?? []);
      await runDue(works, instant);
    },
  };
}
