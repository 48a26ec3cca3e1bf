import { isoOf } from "../../platform/clock.js";
import type { CampaignTemplate, TemplateHead } from "./template.js";
import type { TemplateBody, TemplateWhole } from "./template.schemas.js";

/** A template as answered. */
export const toTemplateBody = ({
  id,
  name,
  description,
  campaign_type,
  created_at,
  updated_at,
}: TemplateHead): TemplateBody => ({
  id,
  name,
  ...(description === null ? {} : { description }),
  campaign_type,
  created_at: isoOf(created_at),
  ...(updated_at === null ? {} : { updated_at: isoOf(updated_at) }),
  object: "campaign_template",
});

/** The same with what it holds. */
export function toWholeTemplate(template: CampaignTemplate): TemplateWhole {
  const { campaign_type, content } = template;
  const { campaign, metadata, rules } = content;
  return {
    ...toTemplateBody(template),
    json_template: {
      campaign_type,
      campaign: { ...campaign, metadata },
      validation_rule: rules[0] ?? null,
      ...(rules.length > 1 ? { validation_rules: rules } : {}),
    },
  };
}
