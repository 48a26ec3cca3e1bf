import {
  type CompiledRule,
  type EarningSituation,
  normaliseOrder,
  type OrderInput,
  type RuleContext,
  type RunningOrder,
  TooMuchWork,
  Work,
} from "@guerdon/engine";
import type { Catalogue } from "../catalogue/index.js";
import { type Order, toOrderInput } from "../features/orders/index.js";
import { catalogueOf } from "../features/products/index.js";
import { ruleShelf } from "../features/validation-rules/index.js";
import type { Queries } from "../platform/db/database.js";
import type { Turns } from "../platform/sharing/turns.js";
import { workOf } from "./decide-request.js";
import { orderFacts } from "./facts-of.js";
import { readSituations } from "./gather.js";
import { SharedFacts } from "./shared-facts.js";
import { inCollections } from "./situation/collections.js";
import { customerFacts } from "./situation/customer-facts.js";
import { readLoyaltyTiers } from "./situation/loyalty-tiers.js";
import { readMemberships } from "./situation/memberships.js";
import type { Subject } from "./situation/subject.js";

/** What has happened to somebody, without anything to redeem: what an event earns hangs on it (rules.md §10). */
export interface Happening {
  subject: Subject;
  /** The stored order that it happened to, as it was then; null where the subject's own counts. */
  order: Order | null;
  /** Of the custom event that is looked at. */
  event_metadata: Record<string, unknown> | null;
  /** The validation rules that are asked about it. */
  rule_ids: readonly string[];
}

export interface JudgedHappening {
  /**
   * Of the rules that were asked. One that is not there does not hold, nor one that takes more work than a decision may;
   * what asks for an order or a discount does not either, where there is none (rules.md §5).
   */
  holds(rule_id: string): boolean;
  /** What points are computed from: by one rule, which may take as much work as one redeemable. */
  earning(): EarningSituation;
}

/** Reads the first stage of facts, and no candidates, and judges all rules on it. */
export async function judgeHappenings(
  db: Queries,
  catalogue: Catalogue,
  turns: Turns,
  happenings: readonly Happening[],
): Promise<readonly JudgedHappening[]> {
  const shared = new SharedFacts(catalogue);
  const { id: project_id } = catalogue.project;
  const ruleOf = (rule_id: string) => catalogue.shelf(ruleShelf).get(rule_id);
  const subjects = happenings.map(({ subject }) => subject);
  await readSituations(db, shared, subjects);
  const wanted = happenings.map(({ subject, rule_ids }) => ({
    subject,
    segment_ids: rule_ids.flatMap((rule_id) => ruleOf(rule_id)?.segments ?? []),
  }));
  const asking = happenings.filter(({ rule_ids }) =>
    rule_ids.some((rule_id) => (ruleOf(rule_id)?.loyalty_tiers ?? []).length > 0),
  );
  await Promise.all([
    readMemberships(db, shared, wanted),
    readLoyaltyTiers(db, shared, { subjects: asking.map(({ subject }) => subject), voucher_ids: [] }),
  ]);
  const orders = await ordersOf(db, shared, happenings);
  const judged: JudgedHappening[] = [];
  for (const [i, happening] of happenings.entries()) {
    const order = orders[i] ?? null;
    const holding = new Set<string>();
    for (const rule_id of happening.rule_ids) {
      const rule = ruleOf(rule_id);
      const work = workOf(turns);
      if (rule && holdsIn(rule, contextOf(shared, happening, order, rule.segments, work))) holding.add(rule_id);
      if (turns.took(project_id, work.endTurn())) await turns.next(project_id);
    }
    judged.push({
      holds: (rule_id) => holding.has(rule_id),
      earning() {
        const work = new Work({ turn_max: turns.stretch_max, decision_max: turns.stretch_max });
        return contextOf(shared, happening, order, [], work);
      },
    });
  }
  return judged;
}

/** Stored ones as they were, over what the catalogue knows of their lines by now. */
async function ordersOf(
  db: Queries,
  shared: SharedFacts,
  happenings: readonly Happening[],
): Promise<(RunningOrder | null)[]> {
  const lines = happenings.flatMap(({ order }) => order?.items ?? []);
  const catalogue = await catalogueOf(db, shared.catalogue.project.id, lines);
  const over = ({ items, ...order }: OrderInput): OrderInput => ({
    ...order,
    items: (items ?? []).map((line) => catalogue.under(line)),
  });
  return happenings.map(({ order, subject }) => {
    const input = order ? over(toOrderInput(order)) : orderFacts(shared, subject);
    return input && normaliseOrder(input);
  });
}

function holdsIn(rule: CompiledRule, context: RuleContext): boolean {
  try {
    return rule.judge(context) === null;
  } catch (error) {
    if (error instanceof TooMuchWork) return false;
    throw error;
  }
}

function contextOf(
  shared: SharedFacts,
  { subject, event_metadata }: Happening,
  order: RunningOrder | null,
  segment_ids: readonly string[],
  work: Work,
): RuleContext {
  const { project, stacking_rules } = shared.catalogue;
  const { instant } = subject.call;
  const customer = customerFacts(shared, subject, segment_ids, work);
  return {
    facts: { time_zone: project.timezone, stacking_rules, customer, order: null, metadata: {} },
    customer,
    order,
    // What was paid is what is left to look at: nothing more is taken off.
    order_after: order,
    instant,
    time_zone: project.timezone,
    holder_id: null,
    is_standalone: false,
    api_key_id: null,
    user_login: null,
    event_metadata,
    counter: () => 0,
    discount: order === null ? null : 0,
    gift_credits: null,
    points: null,
    in_collection: inCollections(shared.catalogue, instant, work),
    scenario: null,
    work,
  };
}
