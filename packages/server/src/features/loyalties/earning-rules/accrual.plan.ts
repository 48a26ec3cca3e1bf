import { earnedPoints } from "@guerdon/engine";
import type { Instant } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { findProject, type Project } from "../../projects/index.js";
import { codeKey, type VoucherRow } from "../../vouchers/index.js";
import { type Judging, judgeRules } from "./accrual.rules.js";
import { type EarningTask, type FoundCard, findCards, findRulesOfEvents, type ProgramRule } from "./accrual.store.js";

/** One event with the cards that its rules may pay. */
export interface TaskPlan {
  task: EarningTask;
  project: Project;
  pairs: readonly { rule: ProgramRule; card: FoundCard }[];
  /** Campaigns that the customer joins by this event: a card comes first, then the points. */
  joins: readonly string[];
}

/** A rule counts for events from its making on; nodes may differ in their clocks by as much. */
const clocks_differ_ms_max = 1_000;

/** Finds rules and cards of each task, without locks: what they are worth is read again under the cards' keys. */
export async function planTasks(
  db: Queries,
  context: Judging,
  tasks: readonly EarningTask[],
  instant: Instant,
): Promise<TaskPlan[]> {
  const plans: TaskPlan[] = [];
  for (const project_id of new Set(tasks.map((task) => task.project_id))) {
    const project = await findProject(db, project_id);
    const own = tasks.filter((task) => task.project_id === project_id);
    if (project) plans.push(...(await planOfProject(db, context, project, own, instant)));
  }
  return plans;
}

async function planOfProject(
  db: Queries,
  context: Judging,
  project: Project,
  tasks: readonly EarningTask[],
  instant: Instant,
): Promise<TaskPlan[]> {
  const names = [...new Set(tasks.map(({ data }) => data.type))];
  const rules = await findRulesOfEvents(db, project.id, names);
  if (rules.length === 0) return [];
  const cards = await findCards(db, project.id, {
    customer_ids: tasks.flatMap(({ data, customer_id }) => (data.loyalty ? [] : (customer_id ?? []))),
    campaign_ids: rules.map(({ campaign_id }) => campaign_id),
    code_keys: tasks.flatMap(({ data }) => (data.loyalty ? codeKey(project, data.loyalty.code) : [])),
  });
  const plans = tasks.map((task) => planOf(task, project, rules, cards));
  // Only who would be paid joins.
  const joining = plans.flatMap(({ task, joining }) => joining.map((rule) => ({ task, rule })));
  const holds = await judgeRules(db, context, project.id, joining, instant);
  return plans.map(({ joining, ...plan }) => {
    const paying = joining.filter((rule) => holds(plan.task, rule) && pointsOf(project, rule, new_card, instant) > 0);
    return { ...plan, joins: [...new Set(paying.map(({ campaign_id }) => campaign_id))] };
  });
}

/**
 * A code pays that card alone, and only its holder's own; without one the customer's card in every campaign with a rule
 * is paid (loyalty.md §4.5, §10).
 */
function planOf(
  task: EarningTask,
  project: Project,
  all_rules: readonly ProgramRule[],
  all_cards: readonly FoundCard[],
): Omit<TaskPlan, "joins"> & { joining: readonly ProgramRule[] } {
  const rules = all_rules.filter(
    ({ event, created_at }) => event === task.data.type && created_at <= task.created_at + clocks_differ_ms_max,
  );
  const own = all_cards.filter(({ holder_id }) => holder_id === task.customer_id);
  const { loyalty = null } = task.data;
  const cards = loyalty ? own.filter(({ code_key }) => code_key === codeKey(project, loyalty.code)) : own;
  const pairs = rules.flatMap((rule) => {
    const card = cards.find(({ campaign_id }) => campaign_id === rule.campaign_id);
    return card ? { rule, card } : [];
  });
  const joining = rules.filter(
    (rule) =>
      loyalty === null && rule.campaign.auto_join && !cards.some(({ campaign_id }) => campaign_id === rule.campaign_id),
  );
  return { task, project, pairs, joining };
}

/** A card that is yet to be given has nothing against it. */
const new_card = { active: true, start_date: null, expiration_date: null };

type CardState = Pick<VoucherRow, "active" | "start_date" | "expiration_date">;

/** What a rule pays a card, once its validation rule holds. Only fixed points are computed (docs/roadmap.md). */
export function pointsOf(project: Project, rule: ProgramRule, card: CardState, instant: Instant): number {
  const { loyalty, active, campaign } = rule;
  const facts = {
    time_zone: project.timezone,
    rule: { active, window: rule, fixed_points: loyalty.type === "FIXED" ? (loyalty.points ?? 0) : null },
    campaign,
    card: {
      active: card.active !== false,
      start_date: card.start_date ?? campaign.start_date,
      expiration_date: card.expiration_date ?? campaign.expiration_date,
    },
  };
  return earnedPoints(facts, instant);
}
