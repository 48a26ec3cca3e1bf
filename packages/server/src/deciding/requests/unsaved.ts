import { ALWAYS, type CompiledRule, type Discount } from "@guerdon/engine";
import type { Instant } from "../../platform/clock.js";
import { newId } from "../../platform/ids.js";
import type { Unsaved } from "./request.js";

/** Its id is new and its code the same, so that nobody else's request of a batch can name it. */
export function unsavedCode(discount: Discount | null, rules: readonly CompiledRule[], created_at: Instant): Unsaved {
  const id = newId("v");
  const nothing_of_a_card = { opening: null, added: null, subtracted: null, expired: null, redeemed: null };
  return {
    rules,
    voucher: {
      ...ALWAYS,
      ...{ id, code: id, code_key: id, type: "DISCOUNT_VOUCHER", discount, gift: null, loyalty_card: null },
      ...{ quantity: null, redeemed_quantity: 0, locks: { sessions: 0, credits: 0, own: [] } },
      ...{ campaign_id: null, category_id: null, holder_id: null, publish_count: 0, rule_ids: [] },
      ...{ active: true, additional_info: null, metadata: {}, is_referral_code: false, created_at, updated_at: null },
      ...{ ...nothing_of_a_card, balance: null, pending: null, lots: null },
    },
  };
}
