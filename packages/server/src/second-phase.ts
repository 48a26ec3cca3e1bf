import * as books from "./books/index.js";
import * as events from "./events/index.js";
import { type Consumer, createDispatcher, inboxWork } from "./events/index.js";
import * as asyncActions from "./features/async-actions/index.js";
import { type AsyncJob, createRunner } from "./features/async-actions/index.js";
import * as campaigns from "./features/campaigns/index.js";
import * as earningRules from "./features/loyalties/earning-rules/index.js";
import * as oauth from "./features/oauth/index.js";
import * as products from "./features/products/index.js";
import type { Instant } from "./platform/clock.js";
import type { Context } from "./platform/context.js";
import { createLoop, type Loop, runDue } from "./platform/loop.js";
import { runSchedules, type Schedule, scheduleWork } from "./platform/schedules.js";
import * as transactionTokens from "./platform/transactions/purge-tokens.js";
import * as recording from "./recording/index.js";

/** What a feature exports that works after the answer (architecture.md §5). */
interface AfterTheAnswer {
  /** Told of events. */
  consumers?: readonly Consumer[];
  /** Long work that a request starts: asynchronous actions. */
  jobs?: readonly AsyncJob[];
  /** What is done as time passes. */
  schedules?: readonly Schedule[];
}

/** One line a feature; the transactions' tokens belong to none. */
const features: readonly AfterTheAnswer[] = [
  asyncActions,
  books,
  campaigns,
  earningRules,
  events,
  oauth,
  products,
  recording,
  transactionTokens,
];

export const consumers = features.flatMap((feature) => feature.consumers ?? []);
export const jobs = features.flatMap((feature) => feature.jobs ?? []);
export const schedules = features.flatMap((feature) => feature.schedules ?? []);

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
