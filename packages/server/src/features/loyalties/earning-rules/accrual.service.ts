import { books } from "../../../books/index.js";
import type { Turn } from "../../../events/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Tx } from "../../../platform/db/database.js";
import { keys_max, type LockKey } from "../../../platform/db/locks.js";
import { type Change, changeWithin, holding } from "../../../recording/index.js";
import { findVouchersByIds, type VoucherRow } from "../../vouchers/index.js";
import { type Accrual, causeOf, entryOf } from "./accrual.entries.js";
import { accrualEvent } from "./accrual.events.js";
import { planTasks, pointsOf, type TaskPlan } from "./accrual.plan.js";
import { judgeRules } from "./accrual.rules.js";
import { type EarningTask, findRulesOfEvents } from "./accrual.store.js";

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

  const accruals = await holding(tx, fitting.flatMap(cardKeys), async () => {
    const of_projects: Accrual[] = [];
    for (const project_id of new Set(fitting.map(({ project }) => project.id))) {
      const own = fitting.filter(({ project }) => project.id === project_id);
      of_projects.push(...(await decideAccruals(tx, context, own, instant)));
    }
    return of_projects;
  });
  await changeWithin(tx, async (changeBy) => {
    for (const accrual of accruals) record(changeBy(causeOf(accrual.task, instant)), accrual);
  });
  return { joins, left };
}

const cardKeys = ({ project, pairs }: TaskPlan): LockKey[] =>
  pairs.map(({ card }) => ({ project_id: project.id, kind: "voucher", id: card.id }));

/** As many plans as one transaction may hold keys for; the others wait for the next. */
function fitted(plans: readonly TaskPlan[]): { fitting: TaskPlan[]; left: TaskPlan[] } {
  const cards = new Set<string>();
  const fitting: TaskPlan[] = [];
  const left: TaskPlan[] = [];
  for (const plan of plans) {
    const more = plan.pairs.filter(({ card }) => !cards.has(card.id));
    const fits = fitting.length === 0 || cards.size + more.length <= keys_max;
    if (fits) for (const { card } of more) cards.add(card.id);
    (fits ? fitting : left).push(plan);
  }
  return { fitting, left };
}

/** Decides under the cards' keys, on rules and cards as they are now; each accrual knows the balance it leaves. */
async function decideAccruals(
  tx: Tx,
  { log, ...judging }: Pick<Context, "log" | "catalogues" | "turns">,
  plans: readonly TaskPlan[],
  instant: Instant,
): Promise<Accrual[]> {
  const [first] = plans;
  const pairs = plans.flatMap((plan) => plan.pairs);
  if (!first || pairs.length === 0) return [];
  const { id: project_id } = first.project;
  const card_ids = [...new Set(pairs.map(({ card }) => card.id))];
  const cards = new Map((await findVouchersByIds(tx, project_id, card_ids)).map((card) => [card.id, card]));
  const names = [...new Set(pairs.map(({ rule }) => rule.event))];
  const rules = new Map((await findRulesOfEvents(tx, project_id, names)).map((rule) => [rule.id, rule]));
  const set_off = plans.flatMap(({ task, pairs }) =>
    pairs.flatMap(({ rule: { id } }) => {
      const rule = rules.get(id);
      return rule ? { task, rule } : [];
    }),
  );
  const holds = await judgeRules(tx, judging, project_id, set_off, instant);
  const accruals: Accrual[] = [];
  for (const { task, project, pairs } of plans) {
    for (const named of pairs) {
      const rule = rules.get(named.rule.id);
      const card = cards.get(named.card.id);
      // Deleted meanwhile, switched off, or in other hands.
      if (!rule || !card || card.holder_id !== task.customer_id || !holds(task, rule)) continue;
      const points = pointsOf(project, rule, card, instant);
      if (points === 0) continue;
      const after = withPoints(card, points);
      if (!after) {
        log.warn({ project_id, voucher_id: card.id, event_id: task.event_id }, "a card cannot hold more points");
        continue;
      }
      cards.set(card.id, after);
      accruals.push({ task, project, rule, card: after, points });
    }
  }
  return accruals;
}

/** Null where the sum could not be written exactly any more. */
function withPoints(card: VoucherRow, points: number): VoucherRow | null {
  const added = (card.added ?? 0) + points;
  return Number.isSafeInteger(added) ? { ...card, added, balance: (card.balance ?? 0) + points } : null;
}

function record({ add, tell, cause }: Change, accrual: Accrual): void {
  const entry = entryOf(accrual, cause.instant);
  add(books.entries, entry);
  tell(accrualEvent(accrual, entry.id));
}
