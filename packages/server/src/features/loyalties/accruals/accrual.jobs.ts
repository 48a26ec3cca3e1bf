import { type Consumer, consumerOf, type Turn } from "../../../events/index.js";
import { Problem } from "../../../platform/http/problems.js";
import { originOf, the_service } from "../../../terms/index.js";
import { publish } from "../../publications/index.js";
import { causeOf } from "./accrual.entries.js";
import type { TaskPlan } from "./accrual.plan.js";
import { accruePoints } from "./accrual.service.js";
import { has_rules } from "./accrual.store.js";
import { earning_names, tasksOf } from "./occasions.js";

/** Pays points for events (loyalty.md §4). */
const earning = consumerOf({
  name: "earning rules",
  names: earning_names,
  is_told: has_rules,
  when: "inbox",
  async take(tx, events, turn) {
    const { joins, left } = await accruePoints(tx, await tasksOf(tx, events), turn);
    return [
      ...joins.map((plan) => ({ event_id: plan.task.event_id, first: () => joinAll(plan, turn) })),
      ...left.map(({ task: { event_id } }) => ({ event_id })),
    ];
  },
});

/**
 * Gives the customer a card in each campaign that takes members by itself (loyalty.md §2.1), in transactions of their
 * own: killed after one of them, the event finds the card and is paid all the same. A customer who has joined meanwhile
 * keeps the card; one for whom there is none earns nothing.
 */
async function joinAll({ task, project, joins }: TaskPlan, { context, instant }: Turn): Promise<void> {
  for (const campaign_id of joins) {
    const publisher = { ...causeOf(task, instant), project };
    try {
      const request = {
        customer: { id: task.customer_id },
        campaign_id,
        code: null,
        source_id: null,
        metadata: {},
        channel: originOf(the_service),
        join_once: true,
        count: 1,
      };
      await publish(context, publisher, request, ({ publication }) => publication.id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }
}

export const consumers: readonly Consumer[] = [earning];
