import type { CategoryFacts, StackingRules } from "../facts.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";
import { addParts, NOTHING, type OrderPart, totalDiscount } from "../orders/part.js";
import type { CounterRef } from "../rules/contract.js";
import { AppliedCounts } from "../stacking/stacking.js";
import type { Work } from "../work.js";
import type { ExistingFacts, RewardFacts } from "./facts.js";
import type { Increments } from "./outcome.js";

interface Applied {
  readonly redeemable: ExistingFacts;
  readonly category: CategoryFacts | null;
}

/** What a campaign, code or tier has got so far. Money in minor units. */
interface Tally {
  redemptions: number;
  order_amount: number;
  discount_amount: number;
  gift_credits: number;
  units_by_line: Map<number, number>;
}

/**
 * What the redeemables applied so far have made of a request: the running order and what they would
 * add to every counter, so that two codes of one campaign count as two (rules.md §7).
 */
export class Running {
  order: RunningOrder | null;
  applied: OrderPart = NOTHING;
  readonly counts: AppliedCounts;
  /** Lines that an item-level discount has touched, for products mode ONCE. */
  readonly taken_lines = new Set<number>();
  private readonly tallies = new Map<string, Tally>();
  private readonly rewards = new Map<string, number>();
  private readonly supplies = new Map<string, number>();

  constructor(order: RunningOrder | null, rules: StackingRules) {
    this.order = order;
    this.counts = new AppliedCounts(rules);
  }

  /** What earlier redeemables of this request add to a counter of this one. */
  counted(redeemable: ExistingFacts, { name }: CounterRef): number {
    const tally = this.tallies.get(scopeOf(redeemable, name));
    return tally?.[MEASURES[name] ?? "redemptions"] ?? 0;
  }

  /** Units that earlier redeemables of the same campaign or tier discounted on the lines in question. */
  unitsGiven(
    redeemable: ExistingFacts,
    scope: "campaign" | "promotion_tier",
    counts: (line: OrderLine) => boolean,
    work: Work | undefined,
  ): number {
    const tally = this.tallies.get(scope === "campaign" ? campaignScope(redeemable) : redeemable.id);
    let sum = 0;
    work?.spend(1 + (tally?.units_by_line.size ?? 0));
    for (const [index, units] of tally?.units_by_line ?? []) {
      const line = this.order?.lines[index];
      if (line !== undefined && counts(line)) sum += units;
    }
    return sum;
  }

  rewardsTaken(reward_id: string): number {
    return this.rewards.get(reward_id) ?? 0;
  }

  /** How often a campaign has given a code or a card as a reward. */
  givenBy(campaign_id: string): number {
    return this.supplies.get(campaign_id) ?? 0;
  }

  /** Takes an APPLICABLE redeemable into account. */
  add({ redeemable, category }: Applied, order: RunningOrder | null, part: OrderPart, increments: Increments): void {
    this.order = order;
    // Of one redeemable alone it is the very part, so that whoever renders both does so once.
    this.applied = this.applied === NOTHING ? part : addParts(this.applied, part);
    this.counts.add({ category });
    const reward = rewardIn(redeemable);
    for (const scope of new Set([campaignScope(redeemable), redeemable.id])) this.tally(scope, part, increments);
    const { reward_units } = increments;
    if (reward) this.rewards.set(reward.id, this.rewardsTaken(reward.id) + reward_units);
    if (reward?.supply)
      this.supplies.set(reward.supply.campaign_id, this.givenBy(reward.supply.campaign_id) + reward_units);
    for (const line of part.lines) {
      if (line.discount_amount > 0 || line.discount_quantity > 0) this.taken_lines.add(line.index);
    }
  }

  private tally(scope: string, part: OrderPart, { order_amount, gift_credits }: Increments): void {
    const tally = this.tallies.get(scope) ?? newTally();
    tally.redemptions += 1;
    tally.order_amount += order_amount;
    tally.discount_amount += totalDiscount(part);
    tally.gift_credits += gift_credits;
    for (const { index, discounted_units } of part.lines) {
      if (discounted_units > 0)
        tally.units_by_line.set(index, (tally.units_by_line.get(index) ?? 0) + discounted_units);
    }
    this.tallies.set(scope, tally);
  }
}

const newTally = (): Tally => ({
  redemptions: 0,
  order_amount: 0,
  discount_amount: 0,
  gift_credits: 0,
  units_by_line: new Map(),
});

const MEASURES: Partial<Record<CounterRef["name"], Exclude<keyof Tally, "units_by_line">>> = {
  "campaign.orders.amount": "order_amount",
  "campaign.orders.amount_discounted": "discount_amount",
  "redemption.gift.amount": "gift_credits",
};

/** Campaign counters of a voucher without a campaign see its own redemptions only. */
const campaignScope = (redeemable: ExistingFacts) => redeemable.campaign?.id ?? redeemable.id;

const scopeOf = (redeemable: ExistingFacts, name: CounterRef["name"]) =>
  name.startsWith("campaign.") || name === "redemption.gift.amount" ? campaignScope(redeemable) : redeemable.id;

function rewardIn(redeemable: ExistingFacts): RewardFacts | null {
  const reward = redeemable.object === "voucher" ? redeemable.loyalty_card?.reward : null;
  return reward && !("not_found" in reward) ? reward : null;
}
