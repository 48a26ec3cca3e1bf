import { expect } from "vitest";
import { makersOn } from "../../src/features/client-side/client-side.fixtures.js";
import { aProgram } from "../../src/features/loyalties/loyalty.fixtures.js";
import { type Fields, off, tiersOf } from "../../src/features/promotions/promotion.fixtures.js";
import type { Client } from "../harness/client.js";
import { uniqueText } from "../harness/resources.js";

/** A request that is refused, and what its one redeemable's error says beside code, key and ids. */
export interface Refused {
  redeemable: { object: string; id: string; [more: string]: unknown };
  /** What is asked beside the redeemable: an order of 100.00 unless said otherwise. */
  situation?: Fields;
  says: { message: string; details?: string; resource_id?: string; resource_type?: string; error?: object };
}

/** What entries of the catalogue are provoked with. */
export function refusedThings(api: Client) {
  const { aVoucher, aRule } = makersOn(api);
  const voucher = async (fields: Fields = {}, more: Fields = {}) => ({
    ...more,
    object: "voucher",
    id: await aVoucher(fields),
  });
  const tier = async (fields: Fields = {}, campaign: Fields = {}) => {
    const { ids } = await tiersOf(api, [fields], { name: uniqueText("C"), ...campaign });
    return { object: "promotion_tier", id: ids[0] as string };
  };
  const card = (amount: number, more: Fields = {}, fields: Fields = {}) =>
    voucher({ discount: undefined, gift: { amount }, ...fields }, more);
  /** Every code of a campaign that is switched off. */
  const ofDisabledCampaign = async () => {
    const name = uniqueText("C");
    const campaign = { name, campaign_type: "DISCOUNT_COUPONS", voucher: off(100), vouchers_count: 0 };
    await api.post("/v1/campaigns", campaign, 200);
    const { code } = (await api.post(`/v1/campaigns/${name}/vouchers/${uniqueText("V")}`, {}, 200)).body;
    await api.post(`/v1/campaigns/${name}/disable`, {}, 200);
    return { object: "voucher", id: code as string };
  };
  const loyaltyCard = async () => {
    const { id } = await aProgram({ api }, { name: uniqueText("P") }, 100);
    const { code } = (await api.post(`/v1/campaigns/${id}/vouchers/${uniqueText("L")}`, {}, 200)).body;
    return { object: "voucher", id: code as string };
  };
  return { voucher, tier, card, loyaltyCard, ofDisabledCampaign, aRule };
}

export const request_id = expect.stringMatching(/^[vw]-[0-9a-f]{18}$/);
