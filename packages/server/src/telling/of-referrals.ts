import type { ReferralTier } from "../features/referrals/index.js";
import { toRewardBody } from "../features/rewards/index.js";
import type { Around } from "./around.js";
import { campaignOf, customerOf, redemptionOf, shortRedemptionOf, voucherOf } from "./look-ups.js";
import { customEventBody } from "./of-customers.js";
import { givenReward, shortCampaign, shortVoucher, wholeRedemption } from "./short.js";
import type { Fact, Tellers } from "./teller.js";

type Referred = Fact<"customer.referred">;

/** What the customer did, where that is what counted. */
const doneIn = ({ custom_event }: Referred["data"]) =>
  custom_event && customEventBody(custom_event, custom_event.created_at);

/** By whose code a customer came, and what made it count. */
async function referred(around: Around, { data }: Pick<Referred, "data">) {
  const [customer, referrer, campaign, voucher, redemption] = await Promise.all([
    customerOf(around, data.referee_id),
    customerOf(around, data.referrer_id),
    campaignOf(around, data.campaign_id),
    voucherOf(around, data.voucher_id),
    shortRedemptionOf(around, data.redemption_id),
  ]);
  return { customer, referrer, campaign, voucher: shortVoucher(voucher), custom_event: doneIn(data), redemption };
}

/** For what somebody is rewarded, as it was when that happened. */
const tierTold = ({ id, campaign_id, banner, criterion, referees_min, reward_id, segment_id }: ReferralTier) => ({
  ...{ id, campaign_id, banner },
  parameters: {
    ...{ event_type: "customer.referred", criterion, referees_min, reward: { id: reward_id } },
    // Told before tiers could ask for one, it says nothing of it.
    segment: segment_id ? { id: segment_id } : null,
  },
});

type TierFact = Fact<`campaign.referral_tier.${"created" | "updated" | "deleted"}`>;

const tier = async ({ categories }: Around, { data: { campaign, referral_tier } }: TierFact) => ({
  campaign: shortCampaign(campaign, campaign.category_id ? await categories.load(campaign.category_id) : null),
  referral_tier: tierTold(referral_tier),
});

/** What somebody got because of a referral: beside it the code, and whose that is. */
async function rewarded(around: Around, { data, customer_id }: Fact<"referral.rewarded">) {
  const { referral, referral_tier, reward_id, given } = data;
  const [{ referrer: holder, voucher, campaign, custom_event }, customer, reward, gift, redeemed] = await Promise.all([
    referred(around, { data: referral }),
    customerOf(around, customer_id),
    reward_id === null ? null : around.rewards.load(reward_id),
    given && voucherOf(around, given.voucher_id),
    redemptionOf(around, referral.redemption_id),
  ]);
  return {
    ...{ customer, holder, voucher, campaign },
    redemption: redeemed && { ...wholeRedemption(redeemed.body, redeemed.row, campaign?.name), reward: null },
    reward: reward && { ...givenReward(toRewardBody(reward)), voucher: shortVoucher(gift) },
    referral_tier: referral_tier && tierTold(referral_tier),
    balance: given === null || given.amount === null ? null : { [given.of]: given.amount },
    ...{ custom_event, customer_event: null },
  };
}

export const of_referrals = {
  "customer.referred": { "customer.referred": referred },
  "referral.rewarded": { "referral.rewarded": rewarded, "customer.rewarded": rewarded },
  "campaign.referral_tier.created": { "campaign.referral_tier.created": tier },
  "campaign.referral_tier.updated": { "campaign.referral_tier.updated": tier },
  "campaign.referral_tier.deleted": { "campaign.referral_tier.deleted": tier },
} satisfies Tellers<Referred["type"] | "referral.rewarded" | TierFact["type"]>;
