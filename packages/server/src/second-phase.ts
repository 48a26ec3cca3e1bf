import { createDispatcher, type EventConsumer } from "./events/index.js";
import { type AsyncJob, createRunner, onAsyncActionStarted } from "./features/async-actions/index.js";
import { campaignJobs } from "./features/campaigns/index.js";
import { createEarningWorker, earningConsumer } from "./features/loyalties/earning-rules/index.js";
import { productJobs } from "./features/products/index.js";
import type { Context } from "./platform/context.js";
import type { App } from "./platform/http/app.js";

/** Every kind of asynchronous work that this version does. */
export const asyncJobs: readonly AsyncJob[] = [...campaignJobs, ...productJobs];

/** Everyone who is told of events. */
export const eventConsumers: readonly EventConsumer[] = [earningConsumer];

/** What happens after the answer: events reach their consumers, asynchronous actions are done (architecture.md §5). */
export interface SecondPhase {
  start(): void;
  /** Ends after the pieces under way; whatever is left is another node's, or the next start's. */
  stop(): Promise<void>;
}

/** How long events wait for company before the dispatcher looks: at 20 ms a rush spent a third of PostgreSQL's time on looking. */
const nudge_pause_ms = 100;

/** The second phase of this node, nudged by the answers of its own application. Call it before the app listens. */
export function createSecondPhase(context: Context, app: Pick<App, "addHook">): SecondPhase {
  const runner = createRunner(context, asyncJobs);
  const earning = createEarningWorker(context);
  const dispatcher = createDispatcher(context, eventConsumers, { handed_over: () => earning.nudge() });
  let nudge_planned = false;
  // Not at every answer: under a rush one look takes the events of many requests.
  const nudgeSoon = () => {
    if (nudge_planned) return;
    nudge_planned = true;
    setTimeout(() => {
      nudge_planned = false;
      dispatcher.nudge();
    }, nudge_pause_ms).unref();
  };
  onAsyncActionStarted(app, () => runner.nudge());
  app.addHook("onResponse", async ({ method }, { statusCode }) => {
    // Whatever changed something may have told something; nothing to take costs one look at an empty table.
    if (method !== "GET" && statusCode < 400) nudgeSoon();
  });
  return {
    start() {
      runner.start();
      dispatcher.start();
      earning.start();
    },
    async stop() {
      await Promise.all([runner.stop(), dispatcher.stop(), earning.stop()]);
    },
  };
}
