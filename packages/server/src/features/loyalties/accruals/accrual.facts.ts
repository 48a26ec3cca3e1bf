import {
  type CompiledPoints,
  compilePoints,
  type EarningSituation,
  type PointsMapping,
  TooMuchWork,
} from "@guerdon/engine";
import { type Happening, type JudgedHappening, judgeHappenings } from "../../../deciding/index.js";
import type { Instant } from "../../../platform/clock.js";
import type { Context } from "../../../platform/context.js";
import type { Queries } from "../../../platform/db/database.js";
import type { Turns } from "../../../platform/sharing/turns.js";
import { readVersion } from "../../../recording/index.js";
import { pointsSourceOf } from "../earning-rules/index.js";
import type { ProgramRule } from "./accrual.store.js";
import type { EarningTask } from "./occasion.js";

/** An event, and a rule that it sets off. */
export interface SetOff {
  task: EarningTask;
  rule: ProgramRule;
}

/** What events come to by the rules that they set off: of those that were asked about. */
export interface EarningFactsOf {
  /** Points, once nothing else stands against them; 0 where the rule asks for something that is not so. Others have turns between two. */
  points(task: EarningTask, rule: ProgramRule, mapping: PointsMapping | null): Promise<number>;
}

/** What reading them needs. */
export type Judging = Pick<Context, "catalogues" | "turns" | "log">;

/**
 * Reads what rules look at, of all events together (loyalty.md §4.3, §4.5). A rule of fixed points that asks for nothing
 * looks at nothing, and costs no statement.
 */
export async function readEarningFacts(
  db: Queries,
  { catalogues, turns, log }: Judging,
  project_id: string,
  set_off: readonly SetOff[],
  instant: Instant,
): Promise<EarningFactsOf> {
  const happenings = new Map<string, Happening & { rule_ids: string[] }>();
  for (const { task, rule } of set_off) {
    if (!looksAround(rule)) continue;
    const happening = happenings.get(task.event_id) ?? happeningOf(task, instant);
    happenings.set(task.event_id, happening);
    if (rule.validation_rule_id !== null) happening.rule_ids.push(rule.validation_rule_id);
  }
  const judged = new Map<string, JudgedHappening>();
  if (happenings.size > 0) {
    const catalogue = await catalogues.at(db, project_id, await readVersion(db, project_id));
    const all = await judgeHappenings(db, catalogue, turns, [...happenings.values()]);
    for (const [i, event_id] of [...happenings.keys()].entries()) judged.set(event_id, all[i] as JudgedHappening);
  }
  const compiled = new Map<string, CompiledPoints>();
  return {
    async points(task, rule, mapping) {
      const happening = judged.get(task.event_id);
      const { validation_rule_id } = rule;
      if (validation_rule_id !== null && !happening?.holds(validation_rule_id)) return 0;
      const pointsIn = compiled.get(rule.id) ?? compilePoints(pointsSourceOf(rule.loyalty));
      compiled.set(rule.id, pointsIn);
      const situation = happening?.earning() ?? nothingAround(instant);
      const points = await pointsInTurn(turns, project_id, situation, () => pointsIn(situation, mapping));
      if (points === null)
        log.warn({ project_id, event_id: task.event_id, earning_rule_id: rule.id }, "points take too much work");
      return points ?? 0;
    },
  };
}

/** Null where computing them takes more work than a decision may. Resolves when others have had a turn, if it took one. */
export async function pointsInTurn(
  turns: Turns,
  project_id: string,
  { work }: EarningSituation,
  compute: () => number,
): Promise<number | null> {
  let points: number | null = null;
  try {
    points = compute();
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
  }
  if (work && turns.took(project_id, work.endTurn())) await turns.next(project_id);
  return points;
}

const looksAround = ({ loyalty, validation_rule_id }: ProgramRule) =>
  validation_rule_id !== null || loyalty.type !== "FIXED" || loyalty.points_formula !== undefined;

const happeningOf = ({ customer_id, occasion }: EarningTask, instant: Instant) => ({
  subject: { call: { instant }, customer: customer_id === null ? null : { id: customer_id }, order: null },
  order: occasion.kind === "order" ? occasion.order : null,
  event_metadata: occasion.kind === "custom" ? occasion.data.metadata : null,
  rule_ids: [] as string[],
});

/** What fixed points are paid on. */
const nothingAround = (instant: Instant): EarningSituation => ({
  instant,
  time_zone: "UTC",
  customer: null,
  order: null,
  event_metadata: null,
  in_collection: () => false,
});
