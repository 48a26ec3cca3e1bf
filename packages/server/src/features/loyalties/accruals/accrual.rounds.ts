import type { Queries } from "../../../platform/db/database.js";
import { readVersion } from "../../../recording/index.js";
import { ruleShelf } from "../../validation-rules/index.js";
import type { Judging } from "./accrual.facts.js";
import type { TaskPlan } from "./accrual.plan.js";
import type { ProgramRule } from "./accrual.store.js";

/** What is decided on facts of one moment, and written before the next round is. */
export interface Round {
  plans: TaskPlan[];
  /** Of the customers in it, those that rounds before may have moved, too. */
  card_ids: Set<string>;
  /** Customers of it that a later round comes back to. */
  again: Set<string>;
}

/**
 * Parts what is due so that a rule which asks for what points change, a tier or a segment, is the first of its customer in a
 * round: its facts are read when all before it is written (loyalty.md §4.4, §4.5). The order of rules and events stays, customer
 * by customer; where no rule asks for such things there is one round.
 */
export async function roundsOf(
  db: Queries,
  judging: Pick<Judging, "catalogues">,
  plans: readonly TaskPlan[],
): Promise<Round[]> {
  const asks = await readAsking(db, judging, plans);
  const rounds: Round[] = [];
  // By customer the round of whatever came last.
  const came = new Map<string, number>();
  const cards_of = new Map<string, Set<string>>();
  for (const plan of plans) {
    const of = plan.task.customer_id ?? "";
    const cards = cards_of.get(of) ?? new Set();
    cards_of.set(of, cards);
    for (const pair of plan.pairs) {
      const last = came.get(of);
      const at = last === undefined ? 0 : asks(pair.rule) ? last + 1 : last;
      if (last !== undefined && at > last) rounds[last]?.again.add(of);
      came.set(of, at);
      cards.add(pair.card.id);
      const round = rounds[at] ?? { plans: [], card_ids: new Set(), again: new Set() };
      rounds[at] = round;
      for (const id of cards) round.card_ids.add(id);
      const begun = round.plans.at(-1);
      if (begun?.task === plan.task) round.plans[round.plans.length - 1] = { ...begun, pairs: [...begun.pairs, pair] };
      else round.plans.push({ ...plan, pairs: [pair] });
    }
  }
  return rounds;
}

/** Whether a rule asks for what points change. Nothing is read where none asks for anything. */
async function readAsking(
  db: Queries,
  { catalogues }: Pick<Judging, "catalogues">,
  plans: readonly TaskPlan[],
): Promise<(rule: ProgramRule) => boolean> {
  const project_id = plans[0]?.project.id ?? "";
  const ids = plans.flatMap(({ pairs }) => pairs.flatMap(({ rule }) => rule.validation_rule_id ?? []));
  if (ids.length === 0) return () => false;
  const rules = (await catalogues.at(db, project_id, await readVersion(db, project_id))).shelf(ruleShelf);
  const moved = new Set(
    ids.filter((id) => {
      const rule = rules.get(id);
      return rule !== undefined && (rule.segments.length > 0 || rule.loyalty_tiers.length > 0);
    }),
  );
  return ({ validation_rule_id }) => validation_rule_id !== null && moved.has(validation_rule_id);
}
