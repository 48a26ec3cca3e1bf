import { buildApp } from "./app.js";
import { consumers, jobs, works as others, schedules } from "./composition.js";
import { createDispatcher, inboxWork, olderOutboxWork, prepareEvents } from "./events/index.js";
import { createRunner } from "./features/async-actions/index.js";
import { makingSampleShops, type OpenApart } from "./features/sample-shop/index.js";
import type { Instant } from "./platform/clock.js";
import type { Context } from "./platform/context.js";
import { createBell } from "./platform/jobs/bell.js";
import { createLoop, type Loop, runDue, type Work } from "./platform/jobs/loop.js";
import { runSchedules, scheduleWork } from "./platform/jobs/schedules.js";
import { createMetrics } from "./platform/metrics.js";

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
  const works = [...worksOf(context, options), makingSampleShops(openApart)(context, options)];
  const loop = createLoop(context, project_ids ? works : [...works, scheduleWork(context, schedules)]);
  return { ...loop, runDue: (instant) => runAll(context, works, instant, project_ids) };
}

/** What every second phase does. */
const worksOf = (context: Context, options: { project_ids?: readonly string[] }): Work[] => [
  olderOutboxWork(context),
  createDispatcher(context, consumers, options).work,
  ...consumers.map((consumer) => inboxWork(context, consumer, options)),
  ...createRunner(context, jobs, options).works,
  ...others.map((make) => make(context, options)),
];

async function runAll(
  context: Context,
  works: readonly Work[],
  instant: Instant,
  project_ids: readonly string[] = [],
): Promise<void> {
  await runDue(context, works, instant);
  await runSchedules(context, schedules, instant, project_ids);
  await runDue(context, works, instant);
}

/** One project by a clock of its own: the whole application, and all that comes after its answers. */
export const openApart: OpenApart = async (shared, project_id, clock) => {
  const log = shared.log.child({}, { level: "error" });
  // Its figures are nobody's: nothing of this happens now.
  const context = { ...shared, clock, log, bell: createBell(), metrics: createMetrics() };
  await prepareEvents(context, clock.now());
  const app = await buildApp(context);
  const works = worksOf(context, { project_ids: [project_id] });
  return {
    async ask({ method, url, headers, body }) {
      const answer = await app.inject({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return { status: answer.statusCode, body: answer.body === "" ? null : answer.json() };
    },
    followUp: () => runDue(context, works, clock.now()),
    runDue: () => runAll(context, works, clock.now(), [project_id]),
    close: () => app.close(),
  };
};
