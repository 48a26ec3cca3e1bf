import { type CompiledRule, type RuleContext, TooMuchWork, type Work } from "@guerdon/engine";
import type { Catalogue } from "../catalogue/index.js";
import { ruleShelf } from "../features/validation-rules/index.js";
import type { Queries } from "../platform/db/database.js";
import type { Turns } from "../platform/sharing/turns.js";
import { workOf } from "./decide-request.js";
import { readSituations } from "./gather.js";
import { SharedFacts } from "./shared-facts.js";
import { inCollections } from "./situation/collections.js";
import { customerFacts } from "./situation/customer-facts.js";
import { readMemberships } from "./situation/memberships.js";
import type { Subject } from "./situation/subject.js";

/** A rule by itself, without anything to redeem: what an event earns hangs on one (rules.md §10). */
export interface RuleAlone {
  subject: Subject;
  rule_id: string;
  /** Of the custom event that is looked at. */
  event_metadata: Record<string, unknown>;
}

/**
 * Whether each of the rules holds for its subject: the first stage of facts, and no candidates. A rule that is not there
 * does not hold, nor one that takes more work than a decision may; what asks for an order or a discount does not either, where there is none (rules.md §5).
 */
export async function rulesHold(
  db: Queries,
  catalogue: Catalogue,
  turns: Turns,
  asked: readonly RuleAlone[],
): Promise<readonly boolean[]> {
  const rules = asked.map(({ rule_id }) => catalogue.shelf(ruleShelf).get(rule_id));
  const shared = new SharedFacts(catalogue);
  const subjects = asked.map(({ subject }) => subject);
  await readSituations(db, shared, subjects);
  const wanted = asked.map(({ subject }, i) => ({ subject, segment_ids: rules[i]?.segments ?? [] }));
  await readMemberships(db, shared, wanted);
  const { id: project_id } = catalogue.project;
  const holding: boolean[] = [];
  for (const [i, one] of asked.entries()) {
    const rule = rules[i];
    const work = workOf(turns);
    holding.push(rule !== undefined && holdsFor(shared, one, rule, work));
    if (turns.took(project_id, work.endTurn())) await turns.next(project_id);
  }
  return holding;
}

function holdsFor(shared: SharedFacts, one: RuleAlone, rule: CompiledRule, work: Work): boolean {
  try {
    return rule.judge(contextOf(shared, one, rule, work)) === null;
  } catch (error) {
    if (error instanceof TooMuchWork) return false;
    throw error;
  }
}

function contextOf(
  shared: SharedFacts,
  { subject, event_metadata }: RuleAlone,
  rule: CompiledRule,
  work: Work,
): RuleContext {
  const { project, stacking_rules } = shared.catalogue;
  const { instant } = subject.call;
  const customer = customerFacts(shared, subject, rule.segments, work);
  return {
    facts: { time_zone: project.timezone, stacking_rules, customer, order: null, metadata: {} },
    customer,
    order: null,
    order_after: null,
    instant,
    time_zone: project.timezone,
    holder_id: null,
    is_standalone: false,
    api_key_id: null,
    user_login: null,
    event_metadata,
    counter: () => 0,
    discount: null,
    gift_credits: null,
    points: null,
    in_collection: inCollections(shared.catalogue, instant, work),
    scenario: null,
    work,
  };
}
