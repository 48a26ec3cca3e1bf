import { applyDiscount, discountInForce } from "../discounts/apply.js";
import { type CompiledDiscount, effectInForce, selectsItems, staticValue } from "../discounts/compile.js";
import type { EffectContext, SelectedLine } from "../discounts/effect.js";
import { itemLevel, selectForDiscount } from "../discounts/items.js";
import { payWithPoints } from "../discounts/points.js";
import { NOTHING, type OrderPart, totalAmount, totalDiscount } from "../orders/part.js";
import { available, rewardOf, rewardUnits } from "./checks.js";
import { effectContext, operandsOf, type Turn } from "./context.js";
import type { Explain } from "./explanation.js";
import type { GiftFacts, LoyaltyCardFacts } from "./facts.js";
import type { ResultValue } from "./outcome.js";
import type { Refusal } from "./refusal.js";

/** What a redeemable would do at its turn. */
export interface ComputedEffect {
  readonly part: OrderPart;
  readonly result: ResultValue;
  readonly gift_credits: number;
  readonly points: number;
  /** How many of a reward the points are spent on; none where no reward is asked for. */
  readonly reward_units: number;
  /** A reward that is handed over beside the order. */
  readonly grants_reward: boolean;
  readonly selected: readonly SelectedLine[];
}

/** Computes the effect (row 14 of redemption.md §4). `bundles` is null when no rule defines a bundle. */
export function computeEffect(turn: Turn, bundles: number | null): ComputedEffect | Refusal {
  const { redeemable, order } = turn;
  const context = order === null ? null : effectContext(turn, order, bundles);
  if (redeemable.object === "voucher") {
    if (redeemable.gift !== null) {
      const { gift, code } = redeemable;
      // Only a qualification looks at a gift card without anything to pay.
      if (context === null || order?.amount === undefined)
        return { ...NO_EFFECT, result: { gift: { balance: gift.balance, credits: 0 } } };
      return giftEffect(gift, code, context, turn.explain);
    }
    if (redeemable.loyalty_card !== null) return rewardEffect(redeemable.loyalty_card, turn);
  }
  return discountEffect(turn, redeemable.discount ?? NO_DISCOUNT, context, bundles);
}

const NO_EFFECT = { part: NOTHING, gift_credits: 0, points: 0, reward_units: 0, grants_reward: false, selected: [] };

/** Stands in where stored data lost its discount, so that the redeemable has no effect instead of failing. */
const NO_DISCOUNT = asDiscount(0, null);

/** An amount as an AMOUNT discount: gift credits and points take off money by the same rules. */
function asDiscount(amount_off: number, aggregated_amount_limit: number | null): CompiledDiscount {
  return {
    discount: { type: "AMOUNT", amount_off },
    type: "AMOUNT",
    effect: null,
    value: staticValue(amount_off),
    amount_limit: null,
    aggregated_amount_limit,
    units: [],
    reads_publication: false,
  };
}

function discountEffect(
  turn: Turn,
  discount: CompiledDiscount,
  context: EffectContext | null,
  bundles: number | null,
): ComputedEffect {
  const { applicable_to, facts } = turn;
  const unit_objects = facts.unit_objects ?? new Map();
  const result = {
    discount: discountInForce(discount, { applicable_to, unit_objects }, () => operandsOf(turn, null, bundles)),
  };
  // While a bundle is incomplete nothing is discounted; only a qualification looks at one (redemption.md §13.3).
  if (context === null || bundles === 0) return { ...NO_EFFECT, result };
  const effect = effectInForce(discount, applicable_to);
  const selected = selectsItems(applicable_to) ? selectForDiscount(discount, effect, context) : [];
  return { ...NO_EFFECT, part: applyDiscount(discount, selected, context), result, selected };
}

/** Credits pay the whole order, or line by line what the rules include: an AMOUNT whose sum is limited to the credits. */
function giftEffect(gift: GiftFacts, code: string, context: EffectContext, explain: Explain): ComputedEffect | Refusal {
  const credits = gift.requested_credits ?? available(gift);
  const items = gift.effect === "APPLY_TO_ITEMS";
  const discount = asDiscount(credits, credits);
  const single = { ...context, bundles: 1 };
  // A gift for the whole order only lists the lines that its rules name.
  const listing = items ? single : { ...single, trace: null };
  const selected =
    items || selectsItems(context.applicable_to) ? selectForDiscount(discount, "APPLY_TO_ITEMS", listing) : [];
  if (items) {
    const holds = selected.length > 0 || hasTakenLine(discount, single);
    explain?.check({ check: "items_amount", holds });
    if (!holds) return { key: "missing_order_items_amount", code };
  }
  const part = items
    ? itemLevel(discount, "APPLY_TO_ITEMS", selected, single)
    : applyDiscount({ ...discount, effect: "APPLY_TO_ORDER" }, [], single);
  const used = totalDiscount(part);
  const result = { gift: { balance: gift.balance, credits: used } };
  return { ...NO_EFFECT, part, result, gift_credits: used, selected };
}

/** Lines that only products mode ONCE withholds: without them the gift has no effect, but nothing is missing (redemption.md §5.7). */
function hasTakenLine(discount: CompiledDiscount, context: EffectContext): boolean {
  if (context.taken_lines.size === 0) return false;
  return selectForDiscount(discount, "APPLY_TO_ITEMS", { ...context, taken_lines: new Set(), trace: null }).length > 0;
}

function rewardEffect(card: LoyaltyCardFacts, { order, explain, running }: Turn): ComputedEffect {
  const reward = rewardOf(card);
  if (reward === null || reward.coin === null || order === null) {
    const reward_units = reward === null ? 0 : rewardUnits(card, reward, running);
    const points = reward_units * (reward?.points ?? 0);
    return { ...NO_EFFECT, points, reward_units, grants_reward: true, result: { loyalty_card: { points } } };
  }
  const requested = card.requested_points ?? available(card);
  const { points, discount_amount } = payWithPoints(requested, totalAmount(order), reward.coin, explain);
  const part = { discount_amount, lines: [] };
  return { ...NO_EFFECT, part, points, reward_units: 1, result: { loyalty_card: { points } } };
}
