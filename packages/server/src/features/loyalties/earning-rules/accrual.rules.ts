import { rulesHold } from "../../../deciding/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import { readVersion } from "../../../recording/index.js";
import type { EarningTask, ProgramRule } from "./accrual.store.js";

/** An event, and a rule that it sets off. */
export interface SetOff {
  task: EarningTask;
  rule: ProgramRule;
}

/** Whether what a rule asks for is so, for an event: of those that were judged. */
export type Holds = (task: EarningTask, rule: ProgramRule) => boolean;

/** What judging them needs. */
export type Judging = Pick<Context, "catalogues" | "turns">;

const nameOf = ({ event_id }: EarningTask, { id }: ProgramRule) => `${event_id} ${id}`;

/**
 * Judges the validation rules of earning rules on the customer and the event (loyalty.md §4.5), all of them by array; an
 * earning rule without one asks for nothing, and costs no statement.
 */
export async function judgeRules(
  db: Queries,
  { catalogues, turns }: Judging,
  project_id: string,
  set_off: readonly SetOff[],
  instant: Instant,
): Promise<Holds> {
  const asked = set_off.flatMap(({ task, rule }) =>
    rule.validation_rule_id === null ? [] : [{ task, rule, rule_id: rule.validation_rule_id }],
  );
  if (asked.length === 0) return () => true;
  const catalogue = await catalogues.at(db, project_id, await readVersion(db, project_id));
  const holding = await rulesHold(
    db,
    catalogue,
    turns,
    asked.map(({ task: { customer_id, data }, rule_id }) => ({
      subject: { call: { instant }, customer: customer_id === null ? null : { id: customer_id }, order: null },
      rule_id,
      event_metadata: data.metadata,
    })),
  );
  const names = new Set(asked.flatMap(({ task, rule }, i) => (holding[i] ? nameOf(task, rule) : [])));
  return (task, rule) => rule.validation_rule_id === null || names.has(nameOf(task, rule));
}
