import { type NotEarning, notEarning } from "@guerdon/engine";
import type { Instant } from "../../../platform/clock.js";
import type { Queries } from "../../../platform/db/database.js";
import { findProject, type Project } from "../../projects/index.js";
import { codeKey, type VoucherRow } from "../../vouchers/index.js";
import { type Judging, readEarningFacts, type SetOff } from "./accrual.facts.js";
import { type FoundCard, findCards, findRulesOfEvents, type ProgramRule } from "./accrual.store.js";
import { codeIn, type EarningTask, setsOff } from "./occasion.js";

/** One event with the cards that its rules may pay. */
export interface TaskPlan {
  task: EarningTask;
  project: Project;
  pairs: readonly { rule: ProgramRule; card: FoundCard }[];
  /** Campaigns that the customer joins by this event: a card comes first, then the points. */
  joins: readonly string[];
}

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
  const names = [...new Set(tasks.map(({ occasion }) => occasion.name))];
  const rules = await findRulesOfEvents(db, project.id, names);
  if (rules.length === 0) return [];
  const cards = await findCards(db, project.id, {
    customer_ids: tasks.flatMap((task) => (codeIn(task) === null ? (task.customer_id ?? []) : [])),
    campaign_ids: rules.map(({ campaign_id }) => campaign_id),
    code_keys: tasks.flatMap((task) => codeIn(task) ?? []).map((code) => codeKey(project, code)),
  });
  const plans = tasks.map((task) => planOf(task, project, rules, cards));
  // Only who would be paid joins.
  const joining = plans.flatMap(({ task, joining }) =>
    joining.filter((rule) => obstacle(project, rule, new_card, instant) === null).map((rule) => ({ task, rule })),
  );
  const facts = await readEarningFacts(db, context, project.id, joining, instant);
  const paying = new Set<SetOff>();
  for (const one of joining) if ((await facts.points(one.task, one.rule, null)) > 0) paying.add(one);
  return plans.map(({ joining: _, ...plan }) => {
    const own = [...paying].filter(({ task }) => task === plan.task);
    return { ...plan, joins: [...new Set(own.map(({ rule }) => rule.campaign_id))] };
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
  const rules = all_rules.filter((rule) => setsOff(task, rule));
  // An order or an event of nobody pays nobody.
  const own = task.customer_id === null ? [] : all_cards.filter(({ holder_id }) => holder_id === task.customer_id);
  const code = codeIn(task);
  const cards = code === null ? own : own.filter(({ code_key }) => code_key === codeKey(project, code));
  const pairs = rules.flatMap((rule) => {
    const card = cards.find(({ campaign_id }) => campaign_id === rule.campaign_id);
    return card ? { rule, card } : [];
  });
  const joining = rules.filter(
    (rule) =>
      task.customer_id !== null &&
      code === null &&
      rule.campaign.auto_join &&
      !cards.some(({ campaign_id }) => campaign_id === rule.campaign_id),
  );
  return { task, project, pairs, joining };
}

type CardState = Pick<VoucherRow, "active" | "start_date" | "expiration_date">;

/** A card that is yet to be given has nothing against it. */
export const new_card: CardState = { active: true, start_date: null, expiration_date: null };

/** What keeps a rule from paying a card now; null when nothing does (loyalty.md §4.5). */
export function obstacle(project: Project, rule: ProgramRule, card: CardState, instant: Instant): NotEarning | null {
  const { active, campaign } = rule;
  const facts = {
    time_zone: project.timezone,
    rule: { active, window: rule },
    campaign,
    card: {
      active: card.active !== false,
      start_date: card.start_date ?? campaign.start_date,
      expiration_date: card.expiration_date ?? campaign.expiration_date,
    },
  };
  return notEarning(facts, instant);
}
