import type { BundleCount } from "../discounts/bundle.js";
import type { EffectContext } from "../discounts/effect.js";
import type { FormulaOperands } from "../discounts/formula.contract.js";
import { isSameItem } from "../discounts/selection.js";
import type { CategoryFacts, Instant } from "../facts.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";
import {
  type ApplicableEntry,
  type ApplicableTo,
  type CompiledRule,
  type CounterRef,
  counterKey,
  type RuleContext,
  type UnitBudget,
} from "../rules/contract.js";
import { isNamed } from "../rules/named-items.js";
import { onInitialAmount } from "../stacking/stacking.js";
import type { Explain } from "./explanation.js";
import { type DecisionFacts, type ExistingFacts, unitCounterKey } from "./facts.js";
import type { Running } from "./running.js";

/** One redeemable at its turn: what checks and effects are given. */
export interface Turn {
  readonly redeemable: ExistingFacts;
  /** Its own or inherited. */
  readonly category: CategoryFacts | null;
  readonly facts: DecisionFacts;
  readonly instant: Instant;
  readonly running: Running;
  /** As the redeemables before have left it. */
  readonly order: RunningOrder | null;
  /** Every rule that concerns it: own, campaign's, then the reward assignment's. */
  readonly rules: readonly CompiledRule[];
  readonly applicable_to: ApplicableTo;
  /** Complete bundles of the order, for each rule that defines one. */
  readonly bundles: ReadonlyMap<CompiledRule, BundleCount>;
  readonly explain: Explain;
}

export const inCollection = (facts: DecisionFacts) => (collection_id: string, line: OrderLine) =>
  facts.in_collection?.(collection_id, line) ?? false;

/** What this redemption would do; null until it is computed. */
export interface Contribution {
  readonly order_after: RunningOrder | null;
  readonly discount: number;
  readonly gift_credits: number;
  readonly points: number;
}

export function ruleContext(
  { redeemable, facts, instant, running, order }: Turn,
  done: Contribution | null,
): RuleContext {
  return {
    facts,
    customer: facts.customer,
    order,
    order_after: done?.order_after ?? null,
    instant,
    time_zone: facts.time_zone,
    holder_id: redeemable.object === "voucher" ? redeemable.holder_id : null,
    is_standalone: redeemable.campaign === null,
    api_key_id: facts.api_key_id ?? null,
    user_login: facts.user_login ?? null,
    event_metadata: null,
    counter: (ref: CounterRef) => (redeemable.counters.get(counterKey(ref)) ?? 0) + running.counted(redeemable, ref),
    discount: done?.discount ?? null,
    gift_credits: done?.gift_credits ?? null,
    points: done?.points ?? null,
    in_collection: inCollection(facts),
    scenario: facts.scenario ?? null,
    work: facts.work,
  };
}

export function operandsOf(
  { redeemable, facts, instant, order }: Turn,
  line: OrderLine | null,
  bundles: number | null,
): FormulaOperands {
  const { start_date, expiration_date } = redeemable.window;
  const is_voucher = redeemable.object === "voucher";
  return {
    instant,
    time_zone: facts.time_zone,
    customer: facts.customer,
    order,
    line,
    redeemable_metadata: redeemable.metadata ?? {},
    redemption_metadata: facts.metadata,
    publication_metadata: is_voucher ? (redeemable.publication_metadata ?? {}) : {},
    voucher: is_voucher
      ? {
          redemption_quantity: redeemable.quantity,
          redeemed_quantity: redeemable.redeemed_quantity,
          publish_count: redeemable.publish_count ?? 0,
          start_date,
          expiration_date,
        }
      : null,
    promotion_tier: redeemable.object === "promotion_tier" ? { start_date, expiration_date } : null,
    bundle_quantity: bundles,
    work: facts.work,
  };
}

/** `bundles` is null when no rule defines a bundle. */
export function effectContext(turn: Turn, order: RunningOrder, bundles: number | null): EffectContext {
  const { facts, running, explain } = turn;
  const { stacking_rules } = facts;
  const once = stacking_rules.redeemables_products_application_mode === "ONCE";
  return {
    order,
    applicable_to: turn.applicable_to,
    bundles: bundles ?? 1,
    on_initial_amount: onInitialAmount(turn, stacking_rules),
    taken_lines: once ? running.taken_lines : NO_LINES,
    unit_objects: facts.unit_objects ?? new Map(),
    selection: {
      in_collection: inCollection(facts),
      budgetLeft: (budget, { entry, line }) => budgetLeft(turn, budget, entry, line, bundles),
    },
    operands: (line) => operandsOf(turn, line, bundles),
    trace: explain,
    work: facts.work,
  };
}

const NO_LINES: ReadonlySet<number> = new Set();

/** What a unit budget still allows: its limit less all past redemptions and the earlier ones of this request. */
function budgetLeft(
  turn: Turn,
  budget: UnitBudget,
  entry: ApplicableEntry,
  line: OrderLine,
  bundles: number | null,
): number {
  const { redeemable, facts, running } = turn;
  const computed = budget.formula?.evaluate(operandsOf(turn, line, bundles)) ?? null;
  const limit = computed === null ? budget.limit : Math.max(0, Math.floor(computed.toNumber()));
  if (limit === null) return Number.POSITIVE_INFINITY;
  const item = budget.each_product
    ? { object: "product" as const, id: line.product_id ?? line.product_source_id ?? "", strict: false }
    : { object: entry.object, id: entry.id ?? entry.source_id ?? "", strict: entry.strict };
  const key = unitCounterKey({ scope: budget.scope, per_customer: budget.per_customer, ...item });
  const counts = (other: OrderLine) =>
    budget.each_product ? isSameItem(other, line) : isNamed(entry, other, inCollection(facts));
  return (
    limit -
    (redeemable.units_discounted?.get(key) ?? 0) -
    running.unitsGiven(redeemable, budget.scope, counts, facts.work)
  );
}
