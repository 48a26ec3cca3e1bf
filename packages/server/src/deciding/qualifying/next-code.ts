import type { CatalogueCampaign } from "../../features/campaigns/index.js";
import type { LockedVoucher } from "../../features/vouchers/index.js";

/**
 * A code of the campaign that nobody has been given yet. It goes by the campaign's id, which no voucher has, so that nothing
 * has been counted about it.
 */
export function nextCode({ id, created_at, code }: CatalogueCampaign): LockedVoucher | null {
  if (code === null) return null;
  const amount = code.gift?.amount ?? null;
  return {
    id,
    code: id,
    code_key: id,
    campaign_id: id,
    type: code.type,
    discount: code.discount ?? null,
    gift: code.gift ?? null,
    loyalty_card: null,
    quantity: code.quantity,
    category_id: null,
    start_date: null,
    expiration_date: null,
    validity_timeframe: null,
    validity_day_of_week: null,
    validity_hours: null,
    active: true,
    additional_info: null,
    metadata: {},
    is_referral_code: false,
    holder_id: null,
    publish_count: 0,
    created_at,
    updated_at: null,
    redeemed_quantity: 0,
    opening: amount,
    added: amount,
    subtracted: 0,
    expired: 0,
    redeemed: 0,
    balance: amount,
    lots: null,
    pending: null,
    rule_ids: [],
    locks: { sessions: 0, credits: 0, own: [] },
  };
}
