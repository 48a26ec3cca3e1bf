import type { Campaign } from "../features/campaigns/index.js";
import { toEarningRuleBody } from "../features/loyalties/earning-rules/index.js";
import { toTierBody } from "../features/loyalties/tiers/index.js";
import { toAssignmentBody, toRewardBody } from "../features/rewards/index.js";
import { type Assignment, ruleAssignments } from "../features/validation-rules/index.js";
import { isoOf } from "../platform/clock.js";
import type { Around } from "./around.js";
import { campaignOf, voucherAsItWas } from "./look-ups.js";
import { shortCampaign, shortTier } from "./short.js";
import type { Fact, Tellers } from "./teller.js";

type CampaignFact = Fact<`campaign.${"created" | "updated" | "enabled" | "disabled"}`>;
type Deleted = Fact<"campaign.deleted">;
type Vouchers = Fact<"campaign.vouchers.added" | `campaign.vouchers.generation.${"started" | "completed" | "failed"}`>;
type Tier = Fact<`campaign.promotion_tier.${"created" | "updated" | "enabled" | "disabled" | "deleted"}`>;
type Stack = Fact<`campaign.promotion_stack.${"created" | "updated" | "deleted"}`>;
type EarningRule = Fact<`campaign.earning_rule.${"assigned" | "updated" | "enabled" | "disabled" | "deleted"}`>;
type LoyaltyTier = Fact<"campaign.loyalty_tier.created">;
type Reward = Fact<`campaign.reward.assignment.${"created" | "updated" | "deleted"}`>;
type Rule = Fact<`business_validation_rule.${"created" | "updated" | "deleted"}`>;
type Assigned = Fact<`business_validation_rule.assignment.${"created" | "deleted"}`>;

/** As it was when something of it changed. */
async function short({ categories }: Around, campaign: Campaign) {
  return shortCampaign(campaign, campaign.category_id ? await categories.load(campaign.category_id) : null);
}

const campaign = async ({ campaignBodies }: Around, { data }: CampaignFact) => ({
  campaign: await campaignBodies.load({ campaign: data.campaign, tiers: null }),
});

const created = async (around: Around, event: CampaignFact) => ({
  ...(await campaign(around, event)),
  created_at: isoOf(event.created_at),
});

/** With the tiers and the number of vouchers that went with it. */
async function deleted({ campaignBodies }: Around, { data, created_at }: Deleted) {
  const { campaign, tiers, vouchers_count } = data;
  const body = await campaignBodies.load({ campaign, tiers });
  return {
    campaign: "vouchers_count" in body ? { ...body, vouchers_count } : body,
    deleted_at: isoOf(created_at),
  };
}

/** @param when the name of the time at which it was so */
const vouchers =
  (when: "added_at" | "started_at" | "completed_at" | "failed_at") =>
  async (around: Around, { data, created_at }: Vouchers) => ({
    campaign: await short(around, data.campaign),
    count: data.count,
    [when]: isoOf(created_at),
    ...("reason" in data ? { reason: data.reason } : {}),
  });

const tier = async (around: Around, { data }: Tier) => ({
  campaign: await short(around, data.campaign),
  promotion_tier: await around.tierBodies.load(data),
});

const stack = async (around: Around, { data }: Stack) => ({
  campaign: await short(around, data.campaign),
  promotion_stack: await around.stackBodies.load(data.promotion_stack),
});

const earningRule = async (around: Around, { data }: EarningRule) => ({
  campaign: await short(around, data.campaign),
  earning_rule: toEarningRuleBody(data.earning_rule),
});

const loyaltyTier = async (around: Around, { data }: LoyaltyTier) => ({
  campaign: await short(around, data.campaign),
  loyalty_tier: toTierBody(data.loyalty_tier),
});

/** The reward as it was, given as often as it is by now. */
const reward = async (around: Around, { data }: Reward) => ({
  campaign: await short(around, data.campaign),
  reward: toRewardBody({ ...data.reward, redeemed: (await around.rewards.load(data.reward.id))?.redeemed ?? null }),
  reward_assignment: toAssignmentBody(data.reward_assignment),
});

const rule =
  (when: "created_at" | "updated_at" | "deleted_at") =>
  async ({ ruleBodies }: Around, { data, created_at }: Rule) => ({
    rule: await ruleBodies.load(data.rule),
    [when]: isoOf(created_at),
  });

/** With what the rule counts for: only that is not null. */
async function assigned(around: Around, { data }: Assigned) {
  const [assignment] = ruleAssignments([data.assignment]).data;
  const body = await around.ruleBodies.load(data.rule);
  const nothing = { voucher: null, campaign: null, distribution: null, promotion_tier: null, earning_rule: null };
  return { rule: body, assignment, ...nothing, ...(await relatedTo(around, data.assignment)) };
}

async function relatedTo(around: Around, { related_object_type, related_object_id: id }: Assignment) {
  switch (related_object_type) {
    case "voucher": {
      const voucher = await around.vouchers.load(id);
      return { voucher: voucher && (await voucherAsItWas(around, voucher)) };
    }
    case "campaign":
      return { campaign: await campaignOf(around, id) };
    case "promotion_tier": {
      const tier = await around.tiers.load(id);
      return { promotion_tier: tier && shortTier({ ...tier, campaign: { id: tier.campaign_id } }) };
    }
    case "earning_rule": {
      const rule = await around.earning_rules.load(id);
      return { earning_rule: rule && toEarningRuleBody(rule) };
    }
    case "distribution":
    case "reward_assignment":
      return {};
  }
}

export const of_campaigns = {
  "campaign.created": { "campaign.created": created },
  "campaign.updated": { "campaign.updated": campaign },
  "campaign.enabled": { "campaign.enabled": campaign },
  "campaign.disabled": { "campaign.disabled": campaign },
  "campaign.deleted": { "campaign.deleted": deleted },
  "campaign.vouchers.added": { "campaign.vouchers.added": vouchers("added_at") },
  "campaign.vouchers.generation.started": { "campaign.vouchers.generation.started": vouchers("started_at") },
  "campaign.vouchers.generation.completed": { "campaign.vouchers.generation.completed": vouchers("completed_at") },
  "campaign.vouchers.generation.failed": { "campaign.vouchers.generation.failed": vouchers("failed_at") },
  "campaign.promotion_tier.created": { "campaign.promotion_tier.created": tier },
  "campaign.promotion_tier.updated": { "campaign.promotion_tier.updated": tier },
  "campaign.promotion_tier.enabled": { "campaign.promotion_tier.enabled": tier },
  "campaign.promotion_tier.disabled": { "campaign.promotion_tier.disabled": tier },
  "campaign.promotion_tier.deleted": { "campaign.promotion_tier.deleted": tier },
  "campaign.promotion_stack.created": { "campaign.promotion_stack.created": stack },
  "campaign.promotion_stack.updated": { "campaign.promotion_stack.updated": stack },
  "campaign.promotion_stack.deleted": { "campaign.promotion_stack.deleted": stack },
  "campaign.earning_rule.assigned": { "campaign.earning_rule.assigned": earningRule },
  "campaign.earning_rule.updated": { "campaign.earning_rule.updated": earningRule },
  "campaign.earning_rule.enabled": { "campaign.earning_rule.enabled": earningRule },
  "campaign.earning_rule.disabled": { "campaign.earning_rule.disabled": earningRule },
  "campaign.earning_rule.deleted": { "campaign.earning_rule.deleted": earningRule },
  "campaign.loyalty_tier.created": { "campaign.loyalty_tier.created": loyaltyTier },
  "campaign.reward.assignment.created": { "campaign.reward.assignment.created": reward },
  "campaign.reward.assignment.updated": { "campaign.reward.assignment.updated": reward },
  "campaign.reward.assignment.deleted": { "campaign.reward.assignment.deleted": reward },
  "business_validation_rule.created": { "business_validation_rule.created": rule("created_at") },
  "business_validation_rule.updated": { "business_validation_rule.updated": rule("updated_at") },
  "business_validation_rule.deleted": { "business_validation_rule.deleted": rule("deleted_at") },
  "business_validation_rule.assignment.created": { "business_validation_rule.assignment.created": assigned },
  "business_validation_rule.assignment.deleted": { "business_validation_rule.assignment.deleted": assigned },
} satisfies Tellers<
  | CampaignFact["type"]
  | Deleted["type"]
  | Vouchers["type"]
  | Tier["type"]
  | Stack["type"]
  | EarningRule["type"]
  | LoyaltyTier["type"]
  | Reward["type"]
  | Rule["type"]
  | Assigned["type"]
>;
