import { uniqueText } from "../../../../test/harness/resources.js";
import type { TestProject, TestService } from "../../../../test/harness/service.js";
import { aReferralShop } from "../referral.fixtures.js";

type Fields = Record<string, unknown>;
const discount = { type: "AMOUNT", amount_off: 500 };

/** A referral shop with things to give. */
export async function aGivingShop(service: TestService, referee_reward?: (api: TestProject["api"]) => Promise<Fields>) {
  const project = await service.anotherProject();
  const { api } = project;
  const program = referee_reward ? { referral_program: { referee_reward: await referee_reward(api) } } : {};
  const shop = await aReferralShop(service, program, project);
  const tiers = `/management/v1/projects/${project.id}/campaigns/${shop.campaign.id}/referral-tiers`;
  const reward = async (parameters: Fields, more: Fields = {}) =>
    (await api.post("/v1/rewards", { name: uniqueText("reward"), parameters, ...more }, 200)).body;
  const tier = async (parameters: Fields, criterion: Fields = { criterion: "EACH_REFEREE" }, more: Fields = {}) => {
    const { id } = await reward(parameters, more);
    return (await service.management.post(tiers, { ...criterion, reward_id: id, banner: "Thank you" }, 200)).body;
  };
  const held = async ({ id }: { id: string }, campaign_id: string) =>
    (await api.get(`/v1/vouchers?customer=${id}&campaign_id=${campaign_id}&limit=100`, 200)).body.vouchers;
  return { ...shop, tiers, reward, tier, held };
}

/** A campaign of coupons that are made as they are given. */
export const coupons = async (api: TestProject["api"], more: Fields = {}) =>
  (await api.post("/v1/campaigns", { name: uniqueText("Coupons"), voucher: { discount }, ...more }, 200)).body;
/** A campaign of gift cards with a hundred on each. */
export const gifts = async (api: TestProject["api"]) => {
  const voucher = { type: "GIFT_VOUCHER", gift: { amount: 100 } };
  return (await api.post("/v1/campaigns", { name: uniqueText("Gifts"), voucher }, 200)).body;
};
/** Where a reward of the referee comes from. */
export const parent = ({ id }: { id: string }) => ({ related_object_parent: { id } });
