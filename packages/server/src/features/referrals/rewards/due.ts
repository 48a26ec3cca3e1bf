import type { EventData } from "../../../events/index.js";
import type { Campaign } from "../../campaigns/index.js";
import type { Reward } from "../../rewards/index.js";
import type { ReferralTier } from "../tiers/referral-tier.js";

/** Codes of a campaign, or so much on its cards. */
export type OfCampaign = Extract<Reward["parameters"], { campaign: unknown }>["campaign"];

/** What somebody gets because of a referral. */
export interface Due {
  /** Null: the campaign's own, for whoever was referred. */
  tier: ReferralTier | null;
  /** What the tier gives. */
  reward: Reward | null;
  /** Null of a product, which nobody hands over here. */
  gives: OfCampaign | null;
  customer_id: string;
  /** Empty where it is given once for many. */
  referee_id: string;
}

/** What follows from a referral, by what the campaign and its tiers say now (vouchers-and-campaigns.md §15). */
export function dueFor(
  { referrer_id, referee_id, referred, referred_by_tier }: EventData["customer.referred"],
  { referral_program }: Campaign,
  tiers: readonly ReferralTier[],
  rewards: readonly Reward[],
): Due[] {
  const own = referral_program?.referee_reward;
  const of_campaign: Due[] = own
    ? [{ ...{ tier: null, reward: null, customer_id: referee_id, referee_id }, gives: givesOf(own) }]
    : [];
  const of_tiers = tiers.flatMap((tier): Due[] => {
    const reward = rewards.find(({ id }) => id === tier.reward_id);
    const counted = tier.segment_id === null ? referred : (referred_by_tier?.[tier.id] ?? 0);
    if (!reward || !tier.active || counted < (tier.referees_min ?? 1)) return [];
    const gives = "campaign" in reward.parameters ? reward.parameters.campaign : null;
    const once_for = tier.criterion === "EACH_REFEREE" ? referee_id : "";
    return [{ tier, reward, gives, customer_id: referrer_id, referee_id: once_for }];
  });
  return [...of_campaign, ...of_tiers];
}

const givesOf = ({
  type,
  amount,
  related_object_parent: { id },
}: NonNullable<NonNullable<Campaign["referral_program"]>["referee_reward"]>): OfCampaign => ({
  ...{ id, balance: amount },
  type: type === "LOYALTY_CARD" ? "LOYALTY_PROGRAM" : "GIFT_VOUCHERS",
});
