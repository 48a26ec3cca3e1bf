import type { CategoryFacts, StackingRules } from "../facts.js";
import type { OrderLine, RunningOrder } from "../orders/order.js";
import { addParts, NOTHING, type OrderPart, totalDiscount } from "../orders/part.js";
import type { CounterRef } from "../rules/contract.js";
import { AppliedCounts } from "../stacking/stacking.js";
import type { PromotionTierFacts, VoucherFacts } from "./facts.js";
import type { Increments } from "./outcome.js";

type Existing = VoucherFacts | PromotionTierFacts;

interface Applied {
  readonly redeemable: Existing;
  readonly category: CategoryFacts | null;
}

interface Tally {
  redemptions: number;
  order_amount: number;
  discount_amount: number;
  gift_credits: number;
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
  private readonly given: { redeemable: Existing; line: OrderLine; units: number }[] = [];

  constructor(order: RunningOrder | null, rules: StackingRules) {
    this.order = order;
    this.counts = new AppliedCounts(rules);
  }

  /** What earlier redeemables of this request add to a counter of this one. */
  counted(redeemable: Existing, { name }: CounterRef): number {
    const tally = this.tallies.get(scopeOf(redeemable, name));
    return tally?.[MEASURES[name] ?? "redemptions"] ?? 0;
  }

  /** Units that earlier redeemables of the same campaign or tier discounted on the lines in question. */
  unitsGiven(redeemable: Existing, scope: "campaign" | "promotion_tier", counts: (line: OrderLine) => boolean): number {
    const same = (other: Existing) =>
      scope === "campaign" ? other.campaign?.id === redeemable.campaign?.id : other === redeemable;
    return this.given.reduce(
      (sum, { redeemable: other, line, units }) => sum + (same(other) && counts(line) ? units : 0),
      0,
    );
  }

  rewardsTaken(reward_id: string): number {
    return this.rewards.get(reward_id) ?? 0;
  }

  /** Takes an APPLICABLE redeemable into account. */
  add({ redeemable, category }: Applied, order: RunningOrder | null, part: OrderPart, increments: Increments): void {
    this.order = order;
    this.applied = addParts(this.applied, part);
    this.counts.add({ category });
    const reward_id = rewardIdOf(redeemable);
    for (const scope of new Set([campaignScope(redeemable), redeemable.id])) this.tally(scope, part, increments);
    if (reward_id !== null) this.rewards.set(reward_id, this.rewardsTaken(reward_id) + 1);
    for (const line of part.lines) {
      if (line.discount_amount > 0 || line.discount_quantity > 0) this.taken_lines.add(line.index);
      const discounted = order?.lines[line.index];
      if (discounted !== undefined && line.discounted_units > 0) {
        this.given.push({ redeemable, line: discounted, units: line.discounted_units });
      }
    }
  }

  private tally(scope: string, part: OrderPart, { order_amount, gift_credits }: Increments): void {
    const before = this.tallies.get(scope) ?? { redemptions: 0, order_amount: 0, discount_amount: 0, gift_credits: 0 };
    this.tallies.set(scope, {
      redemptions: before.redemptions + 1,
      order_amount: before.order_amount + order_amount,
      discount_amount: before.discount_amount + totalDiscount(part),
      gift_credits: before.gift_credits + gift_credits,
    });
  }
}

const MEASURES: Partial<Record<CounterRef["name"], keyof Tally>> = {
  "campaign.orders.amount": "order_amount",
  "campaign.orders.amount_discounted": "discount_amount",
  "redemption.gift.amount": "gift_credits",
};

/** Campaign counters of a voucher without a campaign see its own redemptions only. */
const campaignScope = (redeemable: Existing) => redeemable.campaign?.id ?? redeemable.id;

const scopeOf = (redeemable: Existing, name: CounterRef["name"]) =>
  name.startsWith("campaign.") || name === "redemption.gift.amount" ? campaignScope(redeemable) : redeemable.id;

const rewardIdOf = (redeemable: Existing) =>
  redeemable.object === "voucher" ? (redeemable.loyalty_card?.reward?.id ?? null) : null;
