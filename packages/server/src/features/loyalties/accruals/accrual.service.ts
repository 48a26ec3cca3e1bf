import type { Turn } from "../../../events/index.js";
import type { Tx } from "../../../platform/db/database.js";
import { keys_max, type LockKey } from "../../../platform/db/locks.js";
import { changeWithin, holding } from "../../../recording/index.js";
import { orderPointsKey } from "../pending-points/index.js";
import { accrueOfProject } from "./accrual.decide.js";
import { planTasks, type TaskPlan } from "./accrual.plan.js";
import { type Round, roundsOf } from "./accrual.rounds.js";
import type { EarningTask } from "./occasion.js";

/**
 * Pays what events earn, in the transaction that says that they are paid: entries, balances, events of our own.
 *
 * @returns the events that wait: for their customers to join first, or for a transaction with room for their cards.
 */
export async function accruePoints(
  tx: Tx,
  tasks: readonly EarningTask[],
  { context, instant, ready }: Turn,
): Promise<{ joins: readonly TaskPlan[]; left: readonly TaskPlan[] }> {
  const plans = await planTasks(tx, context, tasks, instant);
  const joins = plans.filter(({ task, joins }) => joins.length > 0 && !ready.has(task.event_id));
  const { fitting, left } = fitted(plans.filter((plan) => !joins.includes(plan)));

  const rounds: Round[] = [];
  for (const project_id of new Set(fitting.map(({ project }) => project.id))) {
    const own = fitting.filter(({ project }) => project.id === project_id);
    rounds.push(...(await roundsOf(tx, context, own)));
  }
  await holding(tx, fitting.flatMap(keysOf), async () => {
    // Each is written before the next, which is judged on it. A round writes nothing that events of others share.
    for (const round of rounds)
      await changeWithin(tx, (changeBy) => accrueOfProject(tx, context, round, { instant, changeBy }));
  });
  return { joins, left };
}

const keysOf = ({ project, pairs, task: { occasion } }: TaskPlan): LockKey[] => [
  ...pairs.map(({ card }): LockKey => ({ project_id: project.id, kind: "voucher", id: card.id })),
  ...(occasion.kind === "order" && pairs.some(({ rule }) => rule.pending_points)
    ? [orderPointsKey(project.id, occasion.order.id)]
    : []),
];

/** As many plans as one transaction may hold keys for; the others wait for the next. */
function fitted(plans: readonly TaskPlan[]): { fitting: TaskPlan[]; left: TaskPlan[] } {
  const keys = new Set<string>();
  const fitting: TaskPlan[] = [];
  const left: TaskPlan[] = [];
  for (const plan of plans) {
    const more = keysOf(plan).filter(({ id }) => !keys.has(id));
    const fits = fitting.length === 0 || keys.size + more.length <= keys_max;
    if (fits) for (const { id } of more) keys.add(id);
    (fits ? fitting : left).push(plan);
  }
  return { fitting, left };
}
