import type { Context } from "../../platform/context.js";
import { type Change, change } from "../../recording/index.js";
import { refusals, withoutEmptyFormulas } from "../../terms/index.js";
import { type CampaignCreate, makeCampaign, makeTier } from "../campaigns/index.js";
import type { Call } from "../projects/index.js";
import type { TierInput } from "../promotions/index.js";
import { makeRule } from "../validation-rules/index.js";
import { renamed } from "./names.js";
import { type MadeResource, resourcesInPlace } from "./resources-in-place.js";
import type { CampaignSetup, CampaignSetupBody, TierSetup, TierSetupBody } from "./setup.schemas.js";
import type { SavedCampaign, TemplateContent } from "./template.js";
import { knownTemplate } from "./template.service.js";

/** `POST …/campaign-setup`: a campaign as by hand, with what the template brings where nothing is said; all of it or nothing. */
export async function setUpCampaign(
  context: Context,
  call: Call,
  id: string,
  input: CampaignSetup,
): Promise<CampaignSetupBody> {
  return change(context, call, async (change) => {
    const { content } = await knownTemplate(change.tx, call.project_id, id);
    const { saved, rule_ids, created_resources } = await inPlace(change, call, content);
    const wanted: CampaignCreate = {
      ...saved,
      ...said(input),
      voucher: { ...saved.voucher, ...said(input.voucher ?? {}) },
      validation_rules: rule_ids,
    };
    return { created_resources, campaign: await makeCampaign(change, call, wanted), object: "campaign_setup" };
  });
}

/** `POST …/tier-setup`: a tier of a promotion that is there, with the template's discount and rules. */
export async function setUpTier(context: Context, call: Call, id: string, input: TierSetup): Promise<TierSetupBody> {
  return change(context, call, async (change) => {
    const { content } = await knownTemplate(change.tx, call.project_id, id);
    const { campaign_id, ...fields } = input;
    if (!content.campaign.voucher?.discount) throw refusals.noTemplateOf();
    const { saved, rule_ids, created_resources } = await inPlace(change, call, content);
    const discount = saved.voucher?.discount;
    if (!discount) throw new Error("what has a discount keeps it");
    const wanted: TierInput = { ...windowOf(saved), ...said(fields), action: { discount }, validation_rules: rule_ids };
    return {
      created_resources,
      promotion_tier: await makeTier(change, call, campaign_id, wanted),
      object: "promotion_tier_setup",
    };
  });
}

/** All that the campaign needs, made where it is not there as the template has it; its rules are always new ones. */
async function inPlace(change: Change, call: Call, { campaign, rules, resources }: TemplateContent) {
  const { ids, made } = await resourcesInPlace(change, call, resources);
  const created_resources: MadeResource[] = [...made];
  const rule_ids: string[] = [];
  for (const rule of rules) {
    const { id } = await makeRule(change, renamed(rule, ids) as Parameters<typeof makeRule>[1]);
    rule_ids.push(id);
    created_resources.push({ id, object: "validation_rules" });
  }
  const voucher = renamed(campaign.voucher, ids);
  const discount = voucher?.discount && { discount: withoutEmptyFormulas(voucher.discount) };
  return { saved: { ...campaign, voucher: voucher && { ...voucher, ...discount } }, rule_ids, created_resources };
}

/** What a body says: null empties what the template would bring. */
const said = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

const windowOf = (saved: SavedCampaign) => {
  const { start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours } = saved;
  return said({ start_date, expiration_date, validity_timeframe, validity_day_of_week, validity_hours });
};
