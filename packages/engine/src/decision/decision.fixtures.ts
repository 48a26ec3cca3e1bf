import { ALWAYS, compileWindow } from "../calendar/window.js";
import type { CompiledDiscount } from "../discounts/compile.js";
import { amountOff } from "../discounts/discounts.fixtures.js";
import type { ActivityWindow, StackingRules } from "../facts.js";
import type { OrderInput } from "../orders/order.js";
import { totalAmount, totalDiscount } from "../orders/part.js";
import { renderLineAmounts, renderOrderAmounts } from "../orders/render.js";
import { DEFAULT_STACKING_RULES } from "../stacking/stacking.js";
import { decide } from "./decide.js";
import type {
  CampaignFacts,
  DecisionFacts,
  LoyaltyCardFacts,
  PromotionTierFacts,
  RedeemableFacts,
  RewardFacts,
  VoucherFacts,
} from "./facts.js";
import type { Decision, Outcome } from "./outcome.js";

export const NOON = Date.parse("2025-03-05T12:00:00Z");

export const aWindow = (window: Partial<ActivityWindow> = {}) => compileWindow({ ...ALWAYS, ...window }, "UTC");

export const aCampaign = (more: Partial<CampaignFacts> = {}): CampaignFacts => ({
  id: "camp_1",
  active: true,
  window: aWindow(),
  category: null,
  ...more,
});

let made = 0;

export const aVoucher = (more: Partial<VoucherFacts> = {}): VoucherFacts => {
  made += 1;
  return {
    object: "voucher",
    id: `v_${made}`,
    code: `CODE${made}`,
    type: "DISCOUNT_VOUCHER",
    is_referral_code: false,
    category: null,
    campaign: null,
    active: true,
    window: aWindow(),
    discount: amountOff(0),
    rules: [],
    counters: new Map(),
    quantity: null,
    redeemed_quantity: 0,
    held_quantity: 0,
    holder_id: null,
    referrer_id: null,
    gift: null,
    loyalty_card: null,
    ...more,
  };
};

export const aCoupon = (discount: CompiledDiscount, more: Partial<VoucherFacts> = {}) =>
  aVoucher({ discount, ...more });

export const aTier = (discount: CompiledDiscount, more: Partial<PromotionTierFacts> = {}): PromotionTierFacts => {
  made += 1;
  return {
    object: "promotion_tier",
    id: `promo_${made}`,
    category: null,
    campaign: null,
    active: true,
    window: aWindow(),
    discount,
    rules: [],
    counters: new Map(),
    ...more,
  };
};

export const aGiftCard = (
  balance: number,
  requested_credits: number | null = null,
  more: Partial<VoucherFacts> & { effect?: "APPLY_TO_ORDER" | "APPLY_TO_ITEMS"; held_balance?: number } = {},
) =>
  aVoucher({
    type: "GIFT_VOUCHER",
    discount: null,
    gift: { effect: more.effect ?? null, balance, held_balance: more.held_balance ?? 0, requested_credits },
    ...more,
  });

export const aReward = (more: Partial<RewardFacts> = {}): RewardFacts => ({
  id: "rew_1",
  rules: [],
  stock: null,
  redeemed: 0,
  coin: null,
  points: null,
  ...more,
});

export const aLoyaltyCard = (card: Partial<LoyaltyCardFacts>, more: Partial<VoucherFacts> = {}) =>
  aVoucher({
    type: "LOYALTY_CARD",
    discount: null,
    holder_id: "cust_1",
    loyalty_card: { balance: 0, held_balance: 0, requested_points: null, reward: null, ...card },
    ...more,
  });

export const aCustomer = (id: string | null) => ({
  id,
  source_id: null,
  metadata: {},
  segments: new Set<string>(),
  loyalty_tiers: new Set<string>(),
});

export const someFacts = (
  redeemables: readonly RedeemableFacts[],
  order: OrderInput | null,
  more: Partial<DecisionFacts> = {},
  rules: Partial<StackingRules> = {},
): DecisionFacts => ({
  time_zone: "UTC",
  stacking_rules: { ...DEFAULT_STACKING_RULES, applicable_redeemables_limit: 30, ...rules },
  customer: null,
  order,
  metadata: {},
  redeemables,
  ...more,
});

export const decided = (...given: Parameters<typeof someFacts>) => decide(someFacts(...given), NOON);

/** The explanation of each redeemable, asked for by `cust_1`. */
export const explanationsOf = (
  redeemables: readonly RedeemableFacts[],
  order: OrderInput | null,
  rules: Partial<StackingRules> = {},
) => {
  const facts = someFacts(redeemables, order, { customer: aCustomer("cust_1") }, rules);
  return decide(facts, NOON, { explain: true }).outcomes.map(({ explanation }) => explanation);
};

/** What became of a redeemable in one word. */
export const wordOf = (outcome: Outcome | undefined) => {
  if (outcome === undefined) return "nothing";
  if (outcome.status === "INAPPLICABLE") return outcome.refusal.key;
  return outcome.status === "SKIPPED" ? outcome.reason : "APPLICABLE";
};

export const words = ({ outcomes }: Decision) => outcomes.map(wordOf);

/** Discount of each redeemable in turn, 0 where it was not applied. */
export const discounts = ({ outcomes }: Decision) =>
  outcomes.map((outcome) => (outcome.status === "APPLICABLE" ? totalDiscount(outcome.applied) : 0));

export const totalAfter = ({ order }: Decision) => (order === null ? null : totalAmount(order));

/** Money fields of the final order and of its lines. */
export const rendered = ({ order, applied }: Decision) =>
  order === null
    ? null
    : {
        ...renderOrderAmounts(order, applied),
        items: order.lines.map((line) => {
          const part = applied.lines.find(({ index }) => index === line.index);
          return renderLineAmounts(line, part, {});
        }),
      };
