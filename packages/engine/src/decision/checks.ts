import type { WindowRefusal } from "../calendar/window.js";
import type { Instant } from "../facts.js";
import { totalAmount } from "../orders/part.js";
import type { Turn } from "./context.js";
import type { CheckStep } from "./explanation.js";
import type { ExistingFacts, LoyaltyCardFacts, RewardFacts, VoucherFacts } from "./facts.js";
import type { Refusal } from "./refusal.js";
import { judgeRules } from "./rules.js";
import type { Running } from "./running.js";

type Check = (turn: Turn) => Refusal | null;

/** A check that only vouchers know; a promotion tier passes it. */
const ofVoucher =
  (check: (voucher: VoucherFacts, turn: Turn) => Refusal | null): Check =>
  (turn) =>
    turn.redeemable.object === "voucher" ? check(turn.redeemable, turn) : null;

/** Rows 4 to 13 of redemption.md §4, Phase C. The first that refuses decides; this is the only order of checks. */
const CHECKS: readonly Check[] = [
  ofVoucher(checkReward),
  checkEnabled,
  checkWindows,
  ofVoucher(checkQuantity),
  ofVoucher(checkHolder),
  ofVoucher(checkReferrer),
  (turn) => judgeRules(turn, null),
  ofVoucher(checkCredits),
  ofVoucher(checkStock),
  ofVoucher(checkSupply),
  ofVoucher(checkPoints),
];

/** Why a redeemable may not be applied, or null; all that can be said before its effect is computed. */
export function firstRefusal(turn: Turn): Refusal | null {
  for (const check of CHECKS) {
    const refusal = check(turn);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** The reward of a loyalty card that passed {@link checkReward}. */
export function rewardOf({ reward }: LoyaltyCardFacts): RewardFacts | null {
  return reward === null || "not_found" in reward ? null : reward;
}

/** How many of a reward one redemption takes: what is refused for one is refused. */
export function rewardUnits(card: LoyaltyCardFacts, reward: RewardFacts, running: Running): number {
  const { id, units_max = 1, points, stock, redeemed, supply } = reward;
  if (!points) return 1;
  const in_stock = stock === null ? units_max : stock - redeemed - running.rewardsTaken(id);
  const supplied = supply?.left == null ? units_max : supply.left - running.givenBy(supply.campaign_id);
  return Math.max(1, Math.min(units_max, Math.floor(available(card) / points), in_stock, supplied));
}

export const available = ({ balance, held_balance }: { balance: number; held_balance: number }) =>
  Math.max(0, balance - held_balance);

/** A qualification shows the card; what it is spent on is chosen with the redemption. */
function checkReward({ loyalty_card }: VoucherFacts, { order, explain, facts }: Turn): Refusal | null {
  if (loyalty_card === null || (facts.scenario && loyalty_card.reward === null)) return null;
  const { reward } = loyalty_card;
  const found = rewardOf(loyalty_card);
  explain?.check({ check: "reward", holds: found !== null });
  if (reward === null) return { key: "missing_reward" };
  if (found === null) return { key: "not_found", resource_type: "reward", resource_id: reward.id };
  if (found.coin === null) return null;
  explain?.check({ check: "order", holds: order !== null });
  return order === null ? { key: "missing_order", required_by: "LOYALTY_CARD" } : null;
}

function checkEnabled({ redeemable, explain }: Turn): Refusal | null {
  const holds = redeemable.active && redeemable.campaign?.active !== false;
  explain?.check({ check: "enabled", holds });
  if (holds) return null;
  return redeemable.object === "voucher"
    ? { key: "voucher_disabled", code: redeemable.code }
    : { key: "promotion_inactive", id: redeemable.id };
}

const WINDOW_KEYS = {
  not_started: "voucher_not_active",
  expired: "voucher_expired",
  outside_timeframe: "voucher_not_active_now",
  outside_day_of_week: "voucher_not_active_now",
  outside_hours: "voucher_not_active_now",
} as const satisfies Record<WindowRefusal["key"], Refusal["key"]>;

/** A voucher's window includes what it inherits; a tier's own and its campaign's must both be open. */
function checkWindows({ redeemable, instant, explain }: Turn): Refusal | null {
  const own = redeemable.window.check(instant);
  explain?.check(windowStep(redeemable.object, own, instant));
  if (redeemable.object === "voucher") {
    return own === null ? null : { key: WINDOW_KEYS[own.key], code: redeemable.code, window: own };
  }
  if (own !== null) return { key: "promotion_not_active_now", id: redeemable.id, window: own };
  if (redeemable.campaign === null) return null;
  const around = redeemable.campaign.window.check(instant);
  explain?.check(windowStep("campaign", around, instant));
  return around === null ? null : { key: "promotion_not_active_now", id: redeemable.id, window: around };
}

function windowStep(
  owner: ExistingFacts["object"] | "campaign",
  refusal: WindowRefusal | null,
  instant: Instant,
): CheckStep {
  return { check: "window", holds: refusal === null, owner, refusal, lacking: lackingTime(refusal, instant) };
}

function lackingTime(refusal: WindowRefusal | null, instant: Instant): number | null {
  if (refusal === null) return 0;
  if (refusal.key === "not_started") return refusal.start_date - instant;
  return refusal.key === "expired" ? instant - refusal.expiration_date : null;
}

function checkQuantity(voucher: VoucherFacts, { explain }: Turn): Refusal | null {
  const { quantity, redeemed_quantity: redeemed, held_quantity: held, code } = voucher;
  const holds = quantity === null || redeemed + held < quantity;
  const lacking = holds ? 0 : redeemed + held + 1 - quantity;
  explain?.check({ check: "quantity", holds, quantity, redeemed, held, lacking });
  return holds ? null : { key: "quantity_exceeded", code, quantity };
}

function checkHolder({ loyalty_card, holder_id, code }: VoucherFacts, { facts, explain }: Turn): Refusal | null {
  if (loyalty_card === null) return null;
  const holds = facts.customer !== null && facts.customer.id !== null && facts.customer.id === holder_id;
  explain?.check({ check: "holder", holds });
  return holds ? null : { key: "invalid_customer", code };
}

function checkReferrer(
  { is_referral_code, referrer_id, code }: VoucherFacts,
  { facts, explain }: Turn,
): Refusal | null {
  if (!is_referral_code || referrer_id === null) return null;
  const holds = facts.customer?.id !== referrer_id;
  explain?.check({ check: "referrer", holds });
  return holds ? null : { key: "referrer_not_permitted_to_redeem", code };
}

function checkCredits({ gift, code }: VoucherFacts, { order, explain, facts }: Turn): Refusal | null {
  // Who looks for an audience need not know what is bought yet.
  if (gift === null || (facts.scenario === "AUDIENCE_ONLY" && order?.amount === undefined)) return null;
  explain?.check({ check: "order", holds: order !== null });
  if (order === null) return { key: "missing_order", required_by: "GIFT_VOUCHER" };
  explain?.check({ check: "amount", holds: order.amount !== undefined });
  if (order.amount === undefined) return { key: "missing_amount" };
  const requested = gift.requested_credits;
  const lacking = Math.max(0, (requested ?? 0) - available(gift));
  explain?.check({ check: "credits", holds: lacking === 0, requested, available: available(gift), lacking });
  return lacking === 0
    ? null
    : { key: "gift_amount_exceeded", code, requested: requested ?? 0, available: available(gift) };
}

function checkStock({ loyalty_card }: VoucherFacts, { running, explain }: Turn): Refusal | null {
  const reward = loyalty_card === null ? null : rewardOf(loyalty_card);
  if (reward === null || reward.stock === null) return null;
  const redeemed = reward.redeemed + running.rewardsTaken(reward.id);
  const lacking = Math.max(0, redeemed + 1 - reward.stock);
  explain?.check({ check: "stock", holds: lacking === 0, stock: reward.stock, redeemed, lacking });
  return lacking === 0 ? null : { key: "reward_out_of_stock", reward_id: reward.id };
}

/** A code that is given must be there, and the customer one who may have it. */
function checkSupply({ loyalty_card }: VoucherFacts, { running, explain }: Turn): Refusal | null {
  const reward = loyalty_card === null ? null : rewardOf(loyalty_card);
  if (!reward?.supply || reward.supply.left === null) return null;
  const { campaign_id, left, refusal } = reward.supply;
  const holds = running.givenBy(campaign_id) < left;
  explain?.check({ check: "supply", holds });
  return holds ? null : { key: refusal, reward_id: reward.id };
}

function checkPoints({ loyalty_card, code }: VoucherFacts, { order, explain }: Turn): Refusal | null {
  const reward = loyalty_card === null ? null : rewardOf(loyalty_card);
  if (loyalty_card === null || reward === null) return null;
  if (reward.coin !== null) {
    const holds = order?.amount !== undefined;
    explain?.check({ check: "amount", holds });
    if (!holds) return { key: "missing_amount" };
  }
  const requested = reward.coin === null ? (reward.points ?? 0) : loyalty_card.requested_points;
  const on_card = available(loyalty_card);
  // With something left to pay, a card that does not hold one step of points cannot pay at all.
  const least = reward.coin !== null && order !== null && totalAmount(order) > 0 ? reward.coin.points_ratio : 0;
  const lacking = Math.max(0, Math.max(requested ?? 0, least) - on_card);
  explain?.check({ check: "points", holds: lacking === 0, requested, available: on_card, lacking });
  if (lacking === 0) return null;
  return { key: "loyalty_card_points_exceeded", code, requested: Math.max(requested ?? 0, least), available: on_card };
}
