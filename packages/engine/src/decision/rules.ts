import { type BundleCount, countBundle } from "../discounts/bundle.js";
import type { CompiledRule, RuleRefusal } from "../rules/contract.js";
import { type Contribution, inCollection, ruleContext, type Turn } from "./context.js";
import type { PromotionTierFacts, VoucherFacts } from "./facts.js";
import type { RedeemableKind, Refusal } from "./refusal.js";

type Redeemable = VoucherFacts | PromotionTierFacts;

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

/** Complete bundles of an order: the scarcest of all bundle rules; null when no rule defines one. */
export function bundlesOf({ rules, order, facts }: Turn): BundleCount | null {
  let scarcest: BundleCount | null = null;
  for (const { bundle } of rules) {
    if (bundle === null) continue;
    const count = countBundle(bundle, order?.lines ?? [], inCollection(facts));
    if (scarcest === null || count.quantity < scarcest.quantity) scarcest = count;
  }
  return scarcest;
}

/** An incomplete bundle violates the rule as an order rule would (rules.md §6.6). */
function bundleRefusal({ order, facts, explain }: Turn, rule: CompiledRule): RuleRefusal | null {
  const { id, bundle, fallback_message: message } = rule;
  if (bundle === null || !needsCompleteBundle(facts.scenario ?? null)) return null;
  if (order === null) return { key: "missing_order" };
  const count = countBundle(bundle, order.lines, inCollection(facts));
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

function refused(refusal: RuleRefusal, redeemable: Redeemable, rule_ids: string[]): Refusal {
  if (refusal.key === "missing_order") return { key: "missing_order", required_by: "rules" };
  if (refusal.key === "missing_customer" || refusal.key === "missing_amount") return { key: refusal.key };
  const { key, message } = refusal as Extract<RuleRefusal, { key: "order_rules_violated" }>;
  return { key, kind: kindOf(redeemable), rule_ids, ...(message === undefined ? {} : { message }) };
}

/** How messages name a redeemable (redemption.md §18.2). */
export function kindOf(redeemable: Redeemable): RedeemableKind {
  if (redeemable.object === "promotion_tier") return "Promotion Tier";
  if (redeemable.type === "GIFT_VOUCHER") return "Gift Card";
  if (redeemable.type === "LOYALTY_CARD") return "Loyalty Card";
  return redeemable.is_referral_code ? "Referral Code" : "Discount Coupon";
}
