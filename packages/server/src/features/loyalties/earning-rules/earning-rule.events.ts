import type { NewEvent } from "../../../events/index.js";
import type { Campaign } from "../../campaigns/index.js";
import type { EarningRule } from "./earning-rule.js";

interface RuleOfCampaign {
  campaign: Campaign;
  earning_rule: EarningRule;
}

declare module "../../../events/event.js" {
  interface EventData {
    "campaign.earning_rule.assigned": RuleOfCampaign;
    "campaign.earning_rule.updated": RuleOfCampaign;
    "campaign.earning_rule.enabled": RuleOfCampaign;
    "campaign.earning_rule.disabled": RuleOfCampaign;
    "campaign.earning_rule.deleted": RuleOfCampaign;
  }
}

/** What happened to an earning rule, with the rule and its campaign as they were. */
export const ruleEvent = (
  what: "assigned" | "updated" | "enabled" | "disabled" | "deleted",
  campaign: Campaign,
  earning_rule: EarningRule,
): NewEvent => ({
  type: `campaign.earning_rule.${what}`,
  entity_id: campaign.id,
  data: { campaign, earning_rule },
});
