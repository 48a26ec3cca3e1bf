import { type Consumer, consumerOf } from "../../../events/index.js";
import { triggers } from "./automation.js";
import { has_automations } from "./automation.store.js";
import { type Happened, planRuns } from "./plan.js";
import { run } from "./run.js";

/**
 * Does what automations say (events-and-webhooks.md §5), one automation after the other in transactions of their own: giving a code
 * takes the keys of a campaign, and whoever held those of a batch would hold up all who publish. Each step leaves a row, so
 * that an event which is handed out again finds it done.
 */
const automating = consumerOf({
  name: "automations",
  names: triggers,
  is_told: has_automations,
  when: "inbox",
  async take(tx, events, { context, instant, ready }) {
    const waiting = events.filter(({ id }) => !ready.has(id));
    const runs = await planRuns(tx, context, waiting as readonly Happened[], instant);
    return [...new Set(runs.map(({ event }) => event.id))].map((event_id) => ({
      event_id,
      async first() {
        for (const one of runs) if (one.event.id === event_id) await run(context, one, instant);
      },
    }));
  },
});

export const consumers: readonly Consumer[] = [automating];
