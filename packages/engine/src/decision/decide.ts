import type { AmountStep, LineStep } from "../discounts/trace.js";
import type { Instant } from "../facts.js";
import { normaliseOrder } from "../orders/normalise.js";
import type { RunningOrder } from "../orders/order.js";
import { arrange, eligibilityOf, type SkipReason } from "../stacking/stacking.js";
import { type Candidate, combinedItems, expand } from "./candidates.js";
import { rewardOf } from "./checks.js";
import type { CheckStep, Explain, Explanation } from "./explanation.js";
import type { DecisionFacts, RedeemableFacts } from "./facts.js";
import type { Decision, Outcome } from "./outcome.js";
import { bundlesOf } from "./rules.js";
import { Running } from "./running.js";
import { judgeTurn } from "./turn.js";

export interface DecideOptions {
  /** Adds to each outcome every check with what it saw, and how each amount came about. Off, it costs nothing. */
  explain?: boolean;
}

/** What a redeemable costs whatever its rules are, and each line of its order, until it is shown. */
const work_of_redeemable = 200;
const work_of_line = 20;

/** One passage through the redeemables in their final order. */
interface Passage {
  readonly facts: DecisionFacts;
  readonly instant: Instant;
  readonly running: Running;
  readonly explain: boolean;
  /** Common redeemables are left out because of an exclusive one. */
  readonly exclusives_block: boolean;
  /** Outcomes that an earlier passage has already settled. */
  readonly settled: ReadonlyMap<unknown, Outcome>;
}

/**
 * The one decision behind validations, qualifications and redemptions: each redeemable in its final
 * order, against the order as the ones before it have left it (redemption.md §4). Pure: the same facts
 * and instant give the same decision.
 */
export function decide(facts: DecisionFacts, instant: Instant, options: DecideOptions = {}): Decision {
  const deciding = decideInTurns(facts, instant, options);
  let step = deciding.next();
  while (step.done !== true) step = deciding.next();
  return step.value;
}

/**
 * The same, one redeemable a turn: whoever has others to serve meanwhile may do so between two of them. Yields the work
 * that the turn took.
 */
export function decideInTurns(
  facts: DecisionFacts,
  instant: Instant,
  options: DecideOptions = {},
): Generator<number, Decision, void> {
  return decideOn(facts, instant, orderOf(facts), options);
}

/**
 * Asks about redeemables one by one, each alone on the order as it came: what a qualification does (redemption.md §13.2).
 * Each answers its steps, so that others may have a turn between them. The order is read once for all of them.
 */
export function decideOneByOne(
  facts: Omit<DecisionFacts, "redeemables">,
  instant: Instant,
): { order: RunningOrder | null; decide(redeemable: RedeemableFacts): Generator<number, Decision, void> } {
  const order = orderOf(facts);
  return {
    order,
    decide: (redeemable) => decideOn({ ...facts, redeemables: [redeemable] }, instant, order, {}),
  };
}

const orderOf = ({ order }: Pick<DecisionFacts, "order">) => (order === null ? null : normaliseOrder(order));

function* decideOn(
  facts: DecisionFacts,
  instant: Instant,
  order_before: RunningOrder | null,
  options: DecideOptions,
): Generator<number, Decision, void> {
  const { running, outcomes } = yield* decideExclusively(facts, instant, order_before, options.explain === true);
  const applicable = outcomes.some(({ status }) => status === "APPLICABLE");
  const all = facts.stacking_rules.redeemables_application_mode === "ALL";
  const valid = applicable && !(all && outcomes.some(({ status }) => status === "INAPPLICABLE"));
  return { valid, outcomes, order_before, order: running.order, applied: running.applied };
}

/**
 * Exclusives keep common redeemables out. In mode PARTIAL they do so only when one of them applies:
 * if none does, the common ones get their turn after all (redemption.md §5.3).
 */
function* decideExclusively(
  facts: DecisionFacts,
  instant: Instant,
  order: RunningOrder | null,
  explain: boolean,
): Generator<number, Passed, void> {
  const rules = facts.stacking_rules;
  const candidates = expand(facts.redeemables);
  const exclusives = candidates.filter((candidate) => eligibilityOf(candidate, rules) === "EXCLUSIVE");
  const passage = (exclusives_block: boolean, settled: Passage["settled"]): Passage => {
    return { facts, instant, running: new Running(order, rules), explain, exclusives_block, settled };
  };
  const first = yield* pass(arrange(candidates, rules), passage(exclusives.length > 0, new Map()));
  if (exclusives.length === 0 || rules.redeemables_application_mode === "ALL") return first;
  const settled = new Map<unknown, Outcome>();
  for (const outcome of first.outcomes) {
    if (!exclusives.some(({ redeemable }) => redeemable === outcome.redeemable)) continue;
    if (outcome.status === "APPLICABLE") return first;
    settled.set(outcome.redeemable, outcome);
  }
  const as_if_none = { ...rules, grouped_redeemables_sorting_rule: "SORTING_RULE" as const };
  return yield* pass(arrange(candidates, as_if_none), passage(false, settled));
}

/** What a passage came to. */
interface Passed {
  readonly running: Running;
  readonly outcomes: Outcome[];
}

function* pass(candidates: readonly Candidate[], passage: Passage): Generator<number, Passed, void> {
  const { work, order } = passage.facts;
  const lines = order?.items?.length ?? 0;
  const outcomes: Outcome[] = [];
  let failed = false;
  for (const candidate of candidates) {
    work?.spend(work_of_redeemable + work_of_line * lines);
    const outcome: Outcome = passage.settled.get(candidate.redeemable) ?? decideOne(candidate, passage, failed);
    failed ||= outcome.status === "INAPPLICABLE";
    outcomes.push(outcome);
    yield work?.endTurn() ?? 0;
  }
  return { running: passage.running, outcomes };
}

function decideOne(candidate: Candidate, passage: Passage, failed: boolean): Outcome {
  if (!passage.explain) return outcomeOf(candidate, passage, failed, null);
  const { explain, explanation } = collector();
  return { ...outcomeOf(candidate, passage, failed, explain), explanation };
}

function outcomeOf(candidate: Candidate, passage: Passage, failed: boolean, explain: Explain): Outcome {
  const { redeemable, category } = candidate;
  const reason = skipReason(candidate, passage, failed, explain);
  if (reason !== null) return { status: "SKIPPED", redeemable, reason };
  explain?.check({ check: "exists", holds: !("not_found" in redeemable) });
  if ("not_found" in redeemable) {
    const { object, id } = redeemable;
    const refusal = { key: "not_found" as const, resource_type: object, resource_id: id };
    return { status: "INAPPLICABLE", redeemable, refusal };
  }
  const { facts, instant, running } = passage;
  const rules = redeemable.object === "voucher" ? withRewardRules(redeemable) : redeemable.rules;
  const applicable_to = combinedItems(rules);
  const { order } = running;
  const bundles = bundlesOf(rules, order, facts);
  return judgeTurn({ redeemable, category, facts, instant, running, order, rules, applicable_to, bundles, explain });
}

/** Rows 1 to 3 of redemption.md §4, Phase C: what keeps a redeemable from being looked at. */
function skipReason(candidate: Candidate, passage: Passage, failed: boolean, explain: Explain): SkipReason | null {
  const rules = passage.facts.stacking_rules;
  const stopped = failed && rules.redeemables_application_mode === "ALL";
  explain?.check({ check: "preceding", holds: !stopped });
  if (stopped) return "preceding_validation_failed";
  const excluded = passage.exclusives_block && eligibilityOf(candidate, rules) === "COMMON";
  explain?.check({ check: "exclusion", holds: !excluded });
  if (excluded) return "exclusion_rules_not_met";
  for (const state of passage.running.counts.limitsOf(candidate)) {
    const holds = state.used < state.limit;
    explain?.check({ check: "limit", holds, ...state, lacking: Math.max(0, state.used + 1 - state.limit) });
    if (!holds) return state.reason;
  }
  return null;
}

function withRewardRules(voucher: Extract<Candidate["redeemable"], { code: string }>) {
  const reward = voucher.loyalty_card === null ? null : rewardOf(voucher.loyalty_card);
  return reward === null ? voucher.rules : [...voucher.rules, ...reward.rules];
}

function collector(): { explain: NonNullable<Explain>; explanation: Explanation } {
  const checks: CheckStep[] = [];
  const lines: LineStep[] = [];
  const amounts: AmountStep[] = [];
  const explain = {
    check: (step: CheckStep) => void checks.push(step),
    line: (step: LineStep) => void lines.push(step),
    amount: (step: AmountStep) => void amounts.push(step),
  };
  return { explain, explanation: { checks, lines, amounts } };
}
