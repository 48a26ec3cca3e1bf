import { type BundleCount, countBundle } from "../discounts/bundle.js";
import type { RunningOrder } from "../orders/order.js";
import type { CompiledRule, RuleRefusal } from "../rules/contract.js";
import { type Contribution, inCollection, ruleContext, type Turn } from "./context.js";
import { called, type DecisionFacts, type ExistingFacts } from "./facts.js";
import type { RedeemableKind, Refusal } from "./refusal.js";

/**
 * Judges every rule of a redeemable. Before the discount is known (`done` null) all of them, leaves
 * that need it taken as holding; afterwards once more those that do need it (rules.md §22). The first
 * violated rule gives the key, all violated ones are named.
 */
export function judgeRules(turn: Turn, done: Contribution | null): Refusal | null {
  const rules = done === null ? turn.rules : turn.rules.filter((rule) => rule.needs_discount);
  if (rules.length === 0) return null;
  const context = ruleContext(turn, done);
  const when = done === null ? "before_discount" : "after_discount";
  const violated: { rule_id: string; refusal: RuleRefusal }[] = [];
  for (const rule of rules) {
    if (turn.facts.work) turn.facts.work.on = { object: "validation_rule", id: rule.id };
    const judged = rule.judge(context);
    turn.explain?.check({
      check: "rules",
      holds: judged === null,
      rule_id: rule.id,
      when,
      node: rule.explain(context),
    });
    const refusal = moreUrgent(judged, done === null ? bundleRefusal(turn, rule) : null);
    if (refusal !== null) violated.push({ rule_id: rule.id, refusal });
  }
  const [first] = violated;
  if (first === undefined) return null;
  return refused(
    first.refusal,
    turn.redeemable,
    violated.map(({ rule_id }) => rule_id),
  );
}

/** Counts the bundles of an order once for each rule that defines one (discounts.md §9). */
export function bundlesOf(
  rules: readonly CompiledRule[],
  order: RunningOrder | null,
  facts: DecisionFacts,
): Turn["bundles"] {
  if (rules.every(({ bundle }) => bundle === null)) return NO_BUNDLES;
  const counts = new Map<CompiledRule, BundleCount>();
  for (const rule of rules) {
    if (rule.bundle === null) continue;
    counts.set(rule, countBundle(rule.bundle, order?.lines ?? [], inCollection(facts), facts.work));
  }
  return counts;
}

const NO_BUNDLES: Turn["bundles"] = new Map();

/** Several bundle rules hold together, so the scarcest counts; null when no rule defines one. */
export function scarcest({ bundles }: Turn): BundleCount | null {
  let least: BundleCount | null = null;
  for (const count of bundles.values()) if (least === null || count.quantity < least.quantity) least = count;
  return least;
}

/** An incomplete bundle violates the rule as an order rule would (rules.md §6.6). */
function bundleRefusal({ order, facts, bundles, explain }: Turn, rule: CompiledRule): RuleRefusal | null {
  const { id, fallback_message: message } = rule;
  const count = bundles.get(rule);
  if (count === undefined || !needsCompleteBundle(facts.scenario ?? null)) return null;
  if (order === null) {
    explain?.check({ check: "order", holds: false });
    return { key: "missing_order" };
  }
  explain?.check({ check: "bundle", holds: count.quantity > 0, rule_id: id, bundle: count });
  if (count.quantity > 0) return null;
  return { key: "order_rules_violated", ...(message == null ? {} : { message }) };
}

/** Scenarios of a qualification that show a redeemable also while its bundle is incomplete (redemption.md §13.2). */
const needsCompleteBundle = (scenario: Turn["facts"]["scenario"]) =>
  scenario == null || scenario === "ALL" || scenario === "CUSTOMER_WALLET" || scenario === "PROMOTION_STACKS";

const URGENCY: Record<RuleRefusal["key"], number> = {
  missing_customer: 0,
  missing_order: 0,
  missing_amount: 0,
  customer_rules_violated: 1,
  order_rules_violated: 2,
  redemption_rules_violated: 3,
};

/** Missing data before violated rules, then customer, order, redemption (rules.md §8). */
function moreUrgent(a: RuleRefusal | null, b: RuleRefusal | null): RuleRefusal | null {
  if (a === null || b === null) return a ?? b;
  return URGENCY[b.key] < URGENCY[a.key] ? b : a;
}

function refused(refusal: RuleRefusal, redeemable: ExistingFacts, rule_ids: string[]): Refusal {
  if (refusal.key === "missing_order") return { key: "missing_order", required_by: "rules" };
  if (refusal.key === "missing_customer" || refusal.key === "missing_amount") return { key: refusal.key };
  const { key, message } = refusal as Extract<RuleRefusal, { key: "order_rules_violated" }>;
  return { key, kind: kindOf(redeemable), rule_ids, ...(message === undefined ? {} : { message }) };
}

/** How messages name a redeemable (redemption.md §18.2). */
export function kindOf(redeemable: ExistingFacts): RedeemableKind {
  if (redeemable.object !== "voucher") return called[redeemable.object];
  if (redeemable.type === "GIFT_VOUCHER") return "Gift Card";
  if (redeemable.type === "LOYALTY_CARD") return "Loyalty Card";
  return redeemable.is_referral_code ? "Referral Code" : "Discount Coupon";
}
