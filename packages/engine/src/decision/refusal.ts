import type { WindowRefusal } from "../calendar/window.js";
import type { called, RedeemableObject, RewardSupply } from "./facts.js";

/** How messages name a redeemable (redemption.md §18.2). */
export type RedeemableKind =
  | "Discount Coupon"
  | "Gift Card"
  | "Loyalty Card"
  | "Referral Code"
  | (typeof called)[keyof typeof called];

/**
 * Why a redeemable is INAPPLICABLE, with what its message needs. In the order of the checks of
 * redemption.md §4, Phase C; the server renders each key, so a key without a message does not compile there.
 */
export type Refusal =
  | {
      key: "not_found";
      resource_type: RedeemableObject | "reward";
      resource_id: string;
    }
  | { key: "missing_reward" }
  | { key: "missing_order"; required_by: "LOYALTY_CARD" | "GIFT_VOUCHER" | "rules" }
  | { key: "voucher_disabled"; code: string }
  | { key: "promotion_inactive"; id: string }
  | { key: "voucher_not_active" | "voucher_expired" | "voucher_not_active_now"; code: string; window: WindowRefusal }
  | { key: "promotion_not_active_now"; id: string; window: WindowRefusal }
  | { key: "quantity_exceeded"; code: string; quantity: number }
  | { key: "invalid_customer"; code: string }
  | { key: "referrer_not_permitted_to_redeem"; code: string }
  | { key: "missing_customer" }
  | { key: "missing_amount" }
  | RulesRefusal
  | { key: "gift_amount_exceeded"; code: string; requested: number; available: number }
  | { key: "reward_out_of_stock"; reward_id: string }
  | { key: RewardSupply["refusal"]; reward_id: string }
  | { key: "loyalty_card_points_exceeded"; code: string; requested: number; available: number }
  | { key: "missing_order_items_amount"; code: string };

export interface RulesRefusal {
  key: "customer_rules_violated" | "order_rules_violated" | "redemption_rules_violated";
  kind: RedeemableKind;
  /** Every violated rule, own before the campaign's. */
  rule_ids: readonly string[];
  /** What an editor wrote for this case; absent when nothing was written. */
  message?: string;
}
